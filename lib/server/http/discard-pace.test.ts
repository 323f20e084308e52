import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DiscardPace } from './discard-pace';

const READ = 64 * 1024;
const TICK_MS = 4;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('lets one connection after the other go on, so that many cost no more than one', () => {
  const pace = new DiscardPace();
  const wentOn: string[] = [];
  const read = (name: string) => pace.take(READ, () => wentOn.push(name));
  expect(['a', 'b', 'c'].map(read)).toEqual([false, false, false]);
  vi.advanceTimersByTime(TICK_MS);
  expect(wentOn).toEqual(['a']);
  expect(read('a')).toBe(false);
  vi.advanceTimersByTime(3 * TICK_MS);
  expect(wentOn).toEqual(['a', 'b', 'c', 'a']);
});

it('keeps nobody waiting for the rest of a small body', () => {
  const pace = new DiscardPace();
  const goOn = vi.fn();
  expect([pace.take(1_000, goOn), pace.take(1_000, goOn)]).toEqual([true, true]);
  expect(goOn).not.toHaveBeenCalled();
});

it('has no timer while nothing is dropped', () => {
  const pace = new DiscardPace();
  pace.take(READ, () => undefined);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(2 * TICK_MS);
  expect(vi.getTimerCount()).toBe(0);
});
