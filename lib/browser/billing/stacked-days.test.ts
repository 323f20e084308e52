import { describe, expect, it } from 'vitest';
import { mostSpentOn, stackDays, STACKED_MAX } from './stacked-days';

const sum = (group: string, amount: string) => ({ group, amount, charges: 1, units: 1 });
const period = { startDate: '2026-11-20T00:00:00.000Z', endDate: '2026-11-22T00:00:00.000Z' };

describe('the days of the stacked plot', () => {
  it('have a part for each resource and one for all others, which add up to the day', () => {
    const { series, days } = stackDays({ ...period, data: [sum('2026-11-20', '0.6'), sum('2026-11-21', '0.1')] }, [
      { resource: 'chat/guide', data: [sum('2026-11-20', '0.3')] },
      { resource: 'chat/other', data: [sum('2026-11-20', '0.2'), sum('2026-11-21', '0.1')] },
    ]);
    expect(series.map(({ resource, product, tint }) => [resource, product, tint])).toEqual([
      ['chat/guide', 'chat', 0],
      ['chat/other', 'chat', 1],
      [null, 'other', 0],
    ]);
    expect(days.map(({ day, parts }) => [day, parts])).toEqual([
      ['2026-11-20', [0.3, 0.2, 0.1]],
      ['2026-11-21', [0, 0.1, 0]],
    ]);
  });

  it('have no part for others where there are none, nor below zero where a charge came in between two reads', () => {
    const { series, days } = stackDays({ ...period, data: [sum('2026-11-20', '0.1')] }, [
      { resource: 'rpc/base-mainnet', data: [sum('2026-11-20', '0.100000014')] },
    ]);
    expect(series.map(({ resource }) => resource)).toEqual(['rpc/base-mainnet']);
    expect(days[0]?.parts).toEqual([0.100000014]);
  });

  it('name the resources that cost most, a bounded number of them, and none that cost nothing', () => {
    const sums = Array.from({ length: 9 }, (_, index) => sum(`rpc/${index}`, `0.${index}`));
    expect(mostSpentOn(sums)).toEqual(['rpc/8', 'rpc/7', 'rpc/6', 'rpc/5', 'rpc/4']);
    expect(mostSpentOn(sums)).toHaveLength(STACKED_MAX);
    expect(mostSpentOn([sum('rpc/a', '0.000000000'), sum('', '3')])).toEqual([]);
  });
});
