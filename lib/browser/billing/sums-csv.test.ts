import { describe, expect, it } from 'vitest';
import { potsCsv, sumsCsv } from './sums-csv';

describe('sums as CSV', () => {
  it('name a key as people know it, and a wallet as that', () => {
    const sums = [
      {
        group: '3',
        apiKey: { id: '3', last6: 'abcdef', description: '=Laptop' },
        charges: 2,
        units: 40,
        amount: '0.000028000',
      },
      { group: '', apiKey: null, charges: 1, units: 20, amount: '0.000014000' },
    ];
    expect(sumsCsv('key', sums)).toBe(
      "key,charges,units,amount_usd\r\n'=Laptop …abcdef,2,40,0.000028000\r\nwallet,1,20,0.000014000\r\n",
    );
  });

  it('have a line for each pot', () => {
    const movement = {
      opening: '1.000000000',
      credited: '0.000000000',
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
      'pot,from,until,opening_usd,credited_usd,charged_usd,expired_usd,closing_usd\r\nUSD,a,b,1.000000000,0.000000000,0.000014000,0.000000000,0.999986000\r\n',
    );
  });
});
