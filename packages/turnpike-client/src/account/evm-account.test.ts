import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { eip1193Wallet } from './eip1193-provider';
import { evmAccountWallet } from './evm-account';

/** Guarantee: the signature of any EVM wallet is accepted in any spelling of hex, and sent in one spelling. */

const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const ACCEPTED: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: `0x${'a'.repeat(40)}`,
  amount: '1',
  payTo: `0x${'b'.repeat(40)}`,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};

/** Wallets that answer every signature request with this value. */
const wallets = (answer: unknown) => ({
  account: evmAccountWallet({
    address: signer.address,
    signMessage: () => Promise.resolve(answer as `0x${string}`),
    signTypedData: () => Promise.resolve(answer as `0x${string}`),
  }),
  provider: eip1193Wallet({
    request: ({ method }) =>
      Promise.resolve(
        method === 'eth_requestAccounts' ? [signer.address] : method === 'eth_chainId' ? '0x2105' : answer,
      ),
  }),
});

describe.each(['account', 'provider'] as const)('of an %s', (kind) => {
  test.each(['0xAB', 'ab', 'AB', '0Xab'])('%s is 0xab', async (answer) => {
    const wallet = wallets(answer)[kind];
    expect(await wallet.signText('Prove it.')).toBe('0xab');
    const { payment } = await wallet.pay(ACCEPTED, { from: '', validSeconds: 60, solanaRpcUrl: null });
    expect(JSON.parse(atob(payment))).toMatchObject({ payload: { signature: '0xab' } });
  });

  test('no bytes sign a text, as a Safe does whose owners approved on the chain, but no payment', async () => {
    const wallet = wallets('0x')[kind];
    expect(await wallet.signText('Prove it.')).toBe('0x');
    await expect(wallet.pay(ACCEPTED, { from: '', validSeconds: 60, solanaRpcUrl: null })).rejects.toMatchObject({
      code: 'WALLET_FAILED',
    });
  });

  test.each(['', 'approved', '0xabc', null, undefined, 7, {}])('%j is no signature', async (answer) => {
    await expect(wallets(answer)[kind].signText('Prove it.')).rejects.toMatchObject({ code: 'WALLET_FAILED' });
  });
});
