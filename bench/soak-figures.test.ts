import { describe, expect, test } from 'vitest';
import { flatnessOf, minuteMedians, type Sample } from './soak-figures';

/** The memory trend must show a leak despite the sawtooth of garbage collection, and ignore a single burst. */

const EACH_MS = 5_000;
const rss = ({ rssBytes }: Sample): number => rssBytes;

function samples(minutes: number, rssAt: (minute: number, index: number) => number): Sample[] {
  return Array.from({ length: (minutes * 60_000) / EACH_MS }, (_, index) => ({
    atMs: index * EACH_MS,
    rssBytes: rssAt((index * EACH_MS) / 60_000, index),
    descriptors: 40,
    loopP99Seconds: null,
    heapUsedBytes: null,
  }));
}

describe('flatness', () => {
  test('shows no drift if memory stays constant, despite warm-up and garbage collection', () => {
    const { drift, minutes } = flatnessOf(
      samples(60, (minute, index) => (minute < 15 ? minute * 20 : 300) + (index % 6)),
      60,
      rss,
    );
    expect(minutes).toBe(45);
    expect(Math.abs(drift)).toBeLessThan(0.001);
  });

  test('of what grows by a tenth is a tenth, under the same saw', () => {
    const { drift } = flatnessOf(
      samples(60, (minute, index) => 300 * (1 + ((minute - 15) / 45) * 0.1) + (index % 6)),
      60,
      rss,
    );
    expect(drift).toBeGreaterThan(0.09);
    expect(drift).toBeLessThan(0.105);
  });

  test('is not decided by one burst', () => {
    const { drift } = flatnessOf(
      samples(60, (minute) => (minute > 57 && minute < 57.4 ? 3_000 : 300)),
      60,
      rss,
    );
    expect(drift).toBe(0);
  });

  test('needs two minutes after the warm-up', () => {
    expect(() =>
      flatnessOf(
        samples(1, () => 1),
        1,
        rss,
      ),
    ).toThrow(RangeError);
  });
});

test('minutes are in order, and those without a sample are not there', () => {
  const [one, other] = [
    { ...(samples(1, () => 7)[0] as Sample), atMs: 130_000 },
    { ...(samples(1, () => 5)[0] as Sample), atMs: 10 },
  ];
  expect(minuteMedians([one, other], rss)).toEqual([
    { minute: 0, median: 5 },
    { minute: 2, median: 7 },
  ]);
});
