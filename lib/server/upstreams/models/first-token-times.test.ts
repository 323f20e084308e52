import { expect, test } from 'vitest';
import { FirstTokenTimes } from './model-upstream';

test('a model has the median of its own last times, in whole milliseconds', () => {
  const times = new FirstTokenTimes();
  expect(times.medianMs('guide')).toBeNull();
  for (const ms of [30, 10.4, 900]) times.note('guide', ms);
  times.note('other', 5);
  expect(times.medianMs('guide')).toBe(30);
  expect(times.medianMs('other')).toBe(5);
});

test('old times are forgotten', () => {
  const times = new FirstTokenTimes();
  for (let chat = 0; chat < 100; chat++) times.note('guide', 1_000);
  for (let chat = 0; chat < 32; chat++) times.note('guide', 20);
  expect(times.medianMs('guide')).toBe(20);
});
