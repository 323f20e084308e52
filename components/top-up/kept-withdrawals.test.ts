import { expect, it } from 'vitest';
import { type KeptWithdrawal, parseKeptWithdrawals } from './kept-withdrawals';

const KEPT: KeptWithdrawal = {
  family: 'evm',
  network: 'eip155:8453',
  asset: `0x${'c0'.repeat(20)}`,
  decimals: 6,
  statement: {
    gateway: 'https://gateway.example',
    to: `0x${'ab'.repeat(20)}`,
    amount: '5000000',
    fee: '50000',
    nonce: `0x${'5f'.repeat(32)}`,
    validBefore: '1795968000',
  },
  signature: '0x1b',
};

it('a signed withdrawal is read from storage as it was kept', () => {
  expect(parseKeptWithdrawals(JSON.parse(JSON.stringify([KEPT])))).toEqual([KEPT]);
});

it.each<[string, unknown]>([
  ['another family', { ...KEPT, family: 'starknet' }],
  ['no signature', { ...KEPT, signature: undefined }],
  ['no statement', { ...KEPT, statement: null }],
  ['an amount in words', { ...KEPT, statement: { ...KEPT.statement, amount: 'all' } }],
  ['decimals that no token has', { ...KEPT, decimals: 400 }],
  ['nothing', null],
])('one with %s is dropped, and the others are kept', (_what, stored) => {
  expect(parseKeptWithdrawals([stored, KEPT])).toEqual([KEPT]);
});

it('storage that holds no list is not read', () => {
  expect(parseKeptWithdrawals({ 0: KEPT })).toBeNull();
});
