import { describe, expect, it } from 'vitest';
import type { Movement } from '@/lib/client';
import { movementsCsv } from './movements-section';
import { parseReceipts } from './receipts';

const TOP_UP: Movement = {
  id: '2',
  amount: 12.5,
  balanceAfter: 12.499986,
  type: 'TOP_UP',
  createdAt: '2026-11-21T20:00:00.000Z',
  requestId: 'pay_1',
  modelId: null,
};
const CHARGE: Movement = {
  id: '1',
  amount: -0.000014,
  balanceAfter: 0,
  type: 'CHARGE',
  createdAt: '2026-11-21T19:00:00.000Z',
  requestId: 'r1',
  modelId: '=a,"b"',
};
const RECEIPT = {
  paymentId: 'pay_1',
  transaction: '0xab',
  family: 'evm',
  network: 'eip155:8453',
  rpcNetwork: 'base-mainnet',
  isStandIn: true,
} as const;

describe('movements as CSV', () => {
  it('have a line each, exact to the last place, with the transaction where it is known', () => {
    expect(movementsCsv([TOP_UP, CHARGE], [RECEIPT]).split('\r\n')).toEqual([
      'time,type,amount_usd,balance_after_usd,model,request_or_payment_id,network,transaction',
      '2026-11-21T20:00:00.000Z,TOP_UP,12.500000000,12.499986000,,pay_1,eip155:8453,0xab',
      `2026-11-21T19:00:00.000Z,CHARGE,-0.000014000,0.000000000,"'=a,""b""",r1,,`,
      '',
    ]);
  });
});

describe('kept receipts', () => {
  it('are dropped one by one where a foreign hand wrote them: their transaction goes into a link', () => {
    expect(
      parseReceipts([{ ...RECEIPT, transaction: 'javascript:x' }, { ...RECEIPT, family: 'x' }, null, RECEIPT]),
    ).toEqual([RECEIPT]);
    expect(parseReceipts('x')).toBeNull();
  });
});
