import { expect, it } from 'vitest';
import { retryAfterMs } from './upstream-failure';

const NOW = Date.parse('2026-11-20T12:00:00Z');

it.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['86400', 60_000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  [undefined, undefined],
])('%j means %j ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});
