import { expect, it } from 'vitest';
import { chargeEntries } from './spending-order';

it('a charge has a row for each pot that it takes of, in their order, and its units once', () => {
  expect(chargeEntries([3, 0, 12, 0], { credits: 20 })).toEqual([
    { pot: 'diem', place: 0, amount: 3, units: 20 },
    { pot: 'usd', place: 2, amount: 12, units: 0 },
  ]);
  expect(chargeEntries([0, 0, 0, 7], { credits: 0, units: 1_234 })).toEqual([
    { pot: 'x402', place: 3, amount: 7, units: 1_234 },
  ]);
});

it('a charge of nothing has none', () => {
  expect(chargeEntries([0, 0, 0, 0], { credits: 20 })).toEqual([]);
});
