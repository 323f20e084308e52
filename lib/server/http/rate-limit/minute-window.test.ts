import { describe, expect, it } from 'vitest';
import { MinuteWindow } from './minute-limiter';

const START = 1_700_000_012_345;

describe("a caller's running minute", () => {
  it('starts with the first request and ends 60 seconds later, to the millisecond', () => {
    const window = new MinuteWindow(0, 0);
    window.take(START);
    window.take(START + 59_999);
    expect(window.count(START + 59_999)).toBe(2);
    expect(window.resetAt()).toBe(START + 60_000);
    expect(window.count(START + 60_000)).toBe(0);
    window.take(START + 60_000);
    expect(window.count(START + 60_000)).toBe(1);
  });

  it('never holds a burst to two caps: 60 seconds from its first request', () => {
    const window = new MinuteWindow(0, 0);
    for (let i = 0; i < 100; i++) window.take(START + i);
    expect(window.count(START + 100)).toBe(100);
    expect(window.count(START + 59_000)).toBe(100);
  });

  it('starts anew when the clock was set back', () => {
    const window = new MinuteWindow(0, 0);
    window.take(START);
    expect(window.count(START - 3_600_000)).toBe(0);
    window.take(START - 3_600_000);
    expect(window.resetAt()).toBe(START - 3_600_000 + 60_000);
  });
});
