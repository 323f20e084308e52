import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTaskQueue } from './load-code';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what begins in a task of its own', () => {
  it('begins one after the other, in their order, also what one of them brings', () => {
    const inOwnTask = createTaskQueue();
    const begun: string[] = [];
    inOwnTask(() => {
      begun.push('first');
      inOwnTask(() => void begun.push('third'));
    });
    inOwnTask(() => void begun.push('second'));
    expect(begun).toEqual([]);
    for (const so of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
      vi.advanceTimersToNextTimer();
      expect(begun).toEqual(so);
    }
    inOwnTask(() => void begun.push('later'));
    vi.runAllTimers();
    expect(begun.at(-1)).toBe('later');
  });

  it('is not lost where one before it throws', () => {
    const inOwnTask = createTaskQueue();
    const begun = vi.fn();
    inOwnTask(() => {
      throw new Error('broken');
    });
    inOwnTask(begun);
    expect(() => vi.advanceTimersToNextTimer()).toThrow('broken');
    vi.runAllTimers();
    expect(begun).toHaveBeenCalledOnce();
  });
});
