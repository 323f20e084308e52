import { describe, expect, it } from 'vitest';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import { readReceiptId, receiptHref, recordOfMovement, recordOfReceipt } from './payment-record';
import { parseReceipts } from './receipts';

const PLACE = { family: 'evm', network: 'eip155:8453', rpcNetwork: 'base-mainnet', isStandIn: false } as const;
const RAIL: PayRail = {
  ...PLACE,
  name: 'base',
  title: 'Base',
  asset: '0xa',
  symbol: 'USDC',
  decimals: 6,
  payTo: '0xb',
  chainId: 8453,
  rpcUrl: null,
};
const DETAILS = {
  payer: '0x1',
  title: 'Base',
  amount: '12.50',
  symbol: 'USDC',
  creditedUsd: 12.5,
  creditedAtMs: 1_700_000_000_000,
};
const RECEIPT = { ...PLACE, paymentId: 'pay_1', transaction: '0xab', details: DETAILS };

describe('the record of a payment', () => {
  it('is the same by what this browser kept and by what the gateway says', () => {
    const movement = {
      id: '1',
      amount: 12.5,
      balanceAfter: 12.5,
      type: 'TOP_UP',
      createdAt: new Date(DETAILS.creditedAtMs).toISOString(),
      requestId: 'pay_1',
      modelId: null,
      network: 'eip155:8453',
      transaction: '0xab',
    } as const;
    const kept = recordOfReceipt(RECEIPT, [RAIL]);
    expect(kept).toMatchObject({
      number: 'pay_1',
      paid: '12.50 USDC',
      payer: '0x1',
      networkTitle: 'Base',
      transaction: '0xab',
      payTo: '0xb',
    });
    expect({ ...recordOfMovement(movement, '0x1', [RAIL]), rail: null }).toEqual({ ...kept, rail: null });
  });

  it('says no more than is known', () => {
    expect(recordOfReceipt({ ...PLACE, paymentId: 'pay_1', transaction: '' }, [RAIL])).toBeNull();
    expect(recordOfReceipt({ ...RECEIPT, transaction: '' }, [])).toMatchObject({ transaction: null, payTo: null });
    expect(
      recordOfMovement(
        {
          id: '1',
          amount: 5.000001,
          balanceAfter: 5,
          type: 'TOP_UP',
          createdAt: '2026-11-21T20:00:00.000Z',
          requestId: 'pay_2',
          modelId: null,
        },
        '0x1',
        [RAIL],
      ),
    ).toMatchObject({ paid: '5.000001 USDC', networkTitle: '', transaction: null });
  });
});

describe('the address of a receipt', () => {
  it('leads to it, and to nothing that is no id', () => {
    expect(receiptHref('pay_1')).toBe('/top-up?receipt=pay_1');
    expect(readReceiptId(new URLSearchParams('receipt=pay_1'))).toBe('pay_1');
    for (const bad of ['', 'a b', '<script>', '🙂', '../x', 'x'.repeat(81)])
      expect(readReceiptId(new URLSearchParams({ receipt: bad }))).toBeNull();
  });
});

describe('kept receipts', () => {
  it('lose what a foreign hand wrote into their details, not themselves', () => {
    expect(parseReceipts([{ ...RECEIPT, details: { ...DETAILS, creditedUsd: 'x' } }])).toEqual([
      { ...PLACE, paymentId: 'pay_1', transaction: '0xab' },
    ]);
    expect(parseReceipts([RECEIPT])).toEqual([RECEIPT]);
  });
});
