import { expect, it } from 'vitest';
import { LatencyWindow } from './latency-window';

const windowOf = (...values: number[]): LatencyWindow => {
  const made = new LatencyWindow();
  for (const value of values) made.add(value);
  return made;
};
const upTo = (count: number) => Array.from({ length: count }, (_none, i) => i + 1);

it('is empty at first', () => {
  expect([windowOf().quantile(0.5), windowOf().averageMs, windowOf().count]).toEqual([null, null, 0]);
});

it('knows its quantiles', () => {
  const tested = windowOf(...upTo(60));
  expect([tested.quantile(0.5), tested.quantile(0.95), tested.quantile(1)]).toEqual([30, 57, 60]);
});

it('looks at the last values only', () => {
  const tested = windowOf(...upTo(64).map(() => 1_000), ...upTo(64));
  expect([tested.quantile(1), tested.count]).toEqual([64, 64]);
});

it('follows new values within a few of them', () => {
  const tested = windowOf(...upTo(64).map(() => 1));
  expect(tested.quantile(0.5)).toBe(1);
  for (let i = 0; i < 64; i++) tested.add(9);
  expect(tested.quantile(0.5)).toBe(9);
});

it('what was given up moves the average and no quantile', () => {
  const tested = windowOf(5, 5, 5);
  tested.addAtLeast(100);
  expect([tested.averageMs, tested.quantile(1), tested.count]).toEqual([200, 5, 3]);
  tested.addAtLeast(10);
  expect(tested.averageMs).toBe(200);
});
