import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { updateWallets, type WalletLayer } from '@/lib/browser/wallet/wallet-store';
import type { GatewayError, SolanaWithdrawalDraft } from '@/lib/client';
import { keepWithdrawal, keptWithdrawals } from './kept-withdrawals';
import { signWithdrawal } from './sign-withdrawal';
import { sendKept } from './use-withdrawals';

const WALLET = 'So11111111111111111111111111111111111111112';
const DRAFT: SolanaWithdrawalDraft = {
  family: 'solana',
  network: `solana:${'5'.repeat(32)}`,
  asset: WALLET,
  decimals: 6,
  text: 'Withdraw',
  statement: {
    gateway: 'https://gateway.example',
    to: WALLET,
    amount: '5000000',
    fee: '50000',
    nonce: `0x${'5f'.repeat(32)}`,
    validBefore: '1795968000',
  },
};

const signMessage = vi.fn<() => Promise<string>>();

beforeEach(() => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('window', { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined });
  updateWallets({
    layer: { signMessage } as unknown as WalletLayer,
    solana: { family: 'solana', address: WALLET, walletName: 'Test', isDemo: false, chainId: null },
  });
});
afterEach(() => {
  keptWithdrawals.set([]);
  updateWallets({ layer: null, solana: null, isNeeded: false });
  vi.unstubAllGlobals();
});

describe('a withdrawal that the wallet signs', () => {
  it.each([
    ['is kept, to be sent', true, 1],
    ['is not kept if the user went back meanwhile', false, 0],
  ])('%s', async (_what, isWanted, count) => {
    let wanted = true;
    let answer = (_signature: string) => {};
    signMessage.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const signing = signWithdrawal(DRAFT, () => wanted);
    wanted = isWanted;
    answer('signature');
    await signing;
    expect(keptWithdrawals.get()).toHaveLength(count);
  });
});

describe('a refusal of a withdrawal', () => {
  const options = (fetch: typeof globalThis.fetch) => ({ baseUrl: 'https://gateway.example', fetch });
  const refusing = vi.fn(() =>
    Promise.resolve(
      Response.json(
        {
          error: 'This wallet can currently withdraw at most 1 USD in this token on this network.',
          code: 'WITHDRAWAL_TOO_LARGE',
        },
        { status: 400 },
      ),
    ),
  );

  it('stays while nothing else is sent', async () => {
    keepWithdrawal({ ...DRAFT, signature: 's' });
    const refused = (await sendKept(WALLET, options(refusing), null)) as GatewayError;
    expect(refused.message).toContain('withdraw at most 1 USD');
    expect(keptWithdrawals.get()).toEqual([]);
    expect(await sendKept(WALLET, options(refusing), refused)).toBe(refused);
    expect(refusing).toHaveBeenCalledOnce();
  });
});
