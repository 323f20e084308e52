import { describe, expect, it } from 'vitest';
import { marginDays, marginOf, type MarginSum, sumsByResource } from './margin-sums';

const sum = (incomeNanoUsd: number, costNanoUsd: MarginSum['costNanoUsd']): MarginSum => ({
  charges: 1,
  units: 10,
  incomeNanoUsd,
  givenNanoUsd: 0,
  costNanoUsd,
});
const exactly = (cost: number) => ({ least: cost, most: cost });
const RESOURCES = [
  { product: 'rpc', name: 'base-mainnet', unit: 'credits', days: [{ day: '2026-11-23', ...sum(900, null) }] },
  {
    product: 'chat',
    name: 'a',
    unit: 'tokens',
    days: [
      { day: '2026-11-22', ...sum(10, exactly(4)) },
      { day: '2026-11-23', ...sum(20, { least: 5, most: 25 }) },
    ],
  },
  { product: 'chat', name: 'b', unit: 'tokens', days: [{ day: '2026-11-23', ...sum(40, exactly(1)) }] },
];

describe('margins', () => {
  it('are sums of days, those with a known cost first', () => {
    const sums = sumsByResource(RESOURCES);
    expect(sums.map(({ id, incomeNanoUsd, costNanoUsd }) => [id, incomeNanoUsd, costNanoUsd])).toEqual([
      ['chat/b', 40, exactly(1)],
      ['chat/a', 30, { least: 9, most: 29 }],
      ['rpc/base-mainnet', 900, null],
    ]);
  });

  it('are the less the more the units cost, and unknown without a cost', () => {
    expect(marginOf(sum(30, { least: 9, most: 29 }))).toEqual({ least: 1, most: 21 });
    expect(marginOf(sum(1, exactly(3)))).toEqual(exactly(-2));
    expect(marginOf(sum(1, null))).toBeNull();
  });

  it('have every day, also one without charges', () => {
    const days = marginDays(RESOURCES.slice(1), ['2026-11-21', '2026-11-22', '2026-11-23']);
    expect(days.map(({ day, incomeNanoUsd, costNanoUsd }) => [day, incomeNanoUsd, costNanoUsd])).toEqual([
      ['2026-11-21', 0, exactly(0)],
      ['2026-11-22', 10, exactly(4)],
      ['2026-11-23', 60, { least: 6, most: 26 }],
    ]);
  });
});
