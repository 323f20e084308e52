import { describe, expect, test } from 'vitest';
import { axisTopOf } from './day-plot';

describe('axisTopOf', () => {
  test.each([
    [0, 1],
    [0.7, 1],
    [1, 1],
    [1.01, 2],
    [3.2, 4],
    [4.5, 10],
    [11, 20],
    [0.00000032, 0.0000004],
    [0.0012, 0.002],
    [99_999, 100_000],
  ])('a largest day of %d ends the axis at %d', (max, top) => {
    expect(axisTopOf(max)).toBe(top);
  });
});
