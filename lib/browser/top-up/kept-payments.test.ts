import { describe, expect, it } from 'vitest';
import { type KeptPayment, parseKeptPayments } from './kept-payments';

const KEPT: KeptPayment = {
  id: 'a',
  payment: 'eyJ9',
  family: 'evm',
  payer: '0x1',
  network: 'eip155:31337',
  rpcNetwork: 'sandbox-testnet',
  isStandIn: true,
  title: 'Turnpike Sandbox',
  amount: '5.00',
  symbol: 'USDC',
  signedAtMs: 1,
  expiresAtMs: 2,
};

describe('kept payments', () => {
  it('are taken as they were kept', () => {
    expect(parseKeptPayments([KEPT])).toEqual([KEPT]);
  });

  it('are dropped one by one where a foreign hand wrote them', () => {
    const foreign = [null, 'x', {}, { ...KEPT, payment: 'a\r\nb: c' }, { ...KEPT, payment: '' }, { ...KEPT, family: 'x' }, { ...KEPT, expiresAtMs: null }, { ...KEPT, amount: 5 }];
    expect(parseKeptPayments([...foreign, KEPT])).toEqual([KEPT]);
    expect(parseKeptPayments({ 0: KEPT })).toBeNull();
  });
});
