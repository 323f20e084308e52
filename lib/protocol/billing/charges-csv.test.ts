import { describe, expect, it } from 'vitest';
import { chargesCsv } from './usage-csv';

const CHARGE = {
  timestamp: '2026-11-21T20:00:00.000Z',
  resource: 'rpc/base-mainnet',
  detail: 'eth_call',
  units: 20,
  amount: '0.000014000',
  currency: 'DIEM',
  pots: { DIEM: '0.000010000', USD: '0.000004000' },
  apiKey: { id: '1', last6: 'abcdef', description: 'My "best", key' },
  requestId: 'r1',
};

describe('charges as CSV', () => {
  it('have a line each, exact to the last place, the pots apart', () => {
    expect(chargesCsv([CHARGE]).split('\r\n')).toEqual([
      'time,resource,detail,units,amount_usd,daily_allocation_usd,bundled_credits_usd,usd,x402_usd,key,request_id',
      '2026-11-21T20:00:00.000Z,rpc/base-mainnet,eth_call,20,0.000014000,0.000010000,0,0.000004000,0,"…abcdef My ""best"", key",r1',
      '',
    ]);
  });
});
