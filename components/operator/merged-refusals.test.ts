import { expect, it } from 'vitest';
import { mergedRefusals } from './operator-dashboard';

it('refusals of several gateways are summed by code, the most frequent first', () => {
  const gateways: { refusals: Record<string, number> }[] = [
    { refusals: { RATE_LIMITED: 2, NOT_FOUND: 5 } },
    { refusals: {} },
    { refusals: { RATE_LIMITED: 3, INVALID_API_KEY: 9 } },
  ];
  expect(mergedRefusals(gateways)).toEqual([
    { code: 'INVALID_API_KEY', count: 9 },
    { code: 'NOT_FOUND', count: 5 },
    { code: 'RATE_LIMITED', count: 5 },
  ]);
});

it('the list is empty if nothing was refused', () => {
  expect(mergedRefusals([])).toEqual([]);
});
