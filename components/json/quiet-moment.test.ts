import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inQuietMoment } from './json-text-editor';

let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal('window', page);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const press = (name: string) => page.dispatchEvent(new Event(name));

describe('what waits for a quiet moment', () => {
  it('does not run between key presses or taps', () => {
    const act = vi.fn();
    inQuietMoment(act);
    for (const name of ['keydown', 'keydown', 'pointerdown', 'keydown', 'keydown']) {
      vi.advanceTimersByTime(200);
      press(name);
    }
    expect(act).not.toHaveBeenCalled();
  });

  it('runs once when they have stopped', () => {
    const act = vi.fn();
    inQuietMoment(act);
    press('keydown');
    vi.runAllTimers();
    press('keydown');
    vi.runAllTimers();
    expect(act).toHaveBeenCalledOnce();
  });

  it('never runs once it is given up', () => {
    const act = vi.fn();
    const giveUp = inQuietMoment(act);
    giveUp();
    press('keydown');
    vi.runAllTimers();
    expect(act).not.toHaveBeenCalled();
  });
});
