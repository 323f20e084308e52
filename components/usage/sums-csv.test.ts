import { describe, expect, it } from 'vitest';
import { potsCsv, stackCsv } from './sums-csv';

describe('sums as CSV', () => {
  it('have a line for each hour or day with values, a column for each part', () => {
    const buckets = [
      { start: '2026-11-20T00:00:00.000Z', value: 0.3, count: 2, parts: [0.1, 0.2] },
      { start: '2026-11-21T00:00:00.000Z', value: 0, count: 0, parts: [0, 0] },
      { start: '2026-11-22T00:00:00.000Z', value: 0.1 + 0.2, count: 1, parts: [0.1 + 0.2, 0] },
    ];
    expect(stackCsv('day', ['=Laptop', 'Others'], buckets)).toBe(
      "day,'=Laptop,Others\r\n2026-11-20,0.1,0.2\r\n2026-11-22,0.3,0\r\n",
    );
    expect(stackCsv('hour', ['a', 'b'], buckets.slice(0, 1))).toBe('hour,a,b\r\n2026-11-20T00:00:00.000Z,0.1,0.2\r\n');
  });

  it('have a line for each pot, with withdrawals apart from what was credited', () => {
    const movement = {
      opening: '4.000000000',
      credited: '-3.000000000',
      withdrawn: '3.000000000',
      charged: '0.000014000',
      expired: '0.000000000',
      closing: '0.999986000',
    };
    const totals = {
      charges: 1,
      amount: '0.000014000',
      refunded: '0.000000000',
      pots: { USD: movement },
      reconciles: true,
    };
    expect(potsCsv({ startDate: 'a', endDate: 'b', data: [], totals })).toBe(
      'pot,from,until,opening_usd,credited_usd,withdrawn_usd,charged_usd,expired_usd,closing_usd\r\nUSD,a,b,4.000000000,0.000000000,3.000000000,0.000014000,0.000000000,0.999986000\r\n',
    );
  });
});
