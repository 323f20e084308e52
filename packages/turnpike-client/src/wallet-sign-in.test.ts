import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { createTurnpike, type TurnpikeOptions } from './turnpike';
import type { TurnpikeEvent } from './turnpike-event';

const KEY = `0x${'7'.repeat(64)}` as const;

/** Asks for the balance, and returns the sign-in message that the gateway received. */
async function signedBy(options: Partial<TurnpikeOptions>): Promise<string> {
  let header = '';
  const gateway: typeof fetch = (_input, init) => {
    header = new Headers(init?.headers).get('sign-in-with-x') ?? '';
    return Promise.resolve(Response.json({ error: 'No' }, { status: 403 }));
  };
  const customer = createTurnpike({
    url: 'https://gateway.example',
    account: privateKeyToAccount(KEY),
    fetch: gateway,
    ...options,
  });
  await customer.fetch('/api/v1/models').catch(() => undefined);
  return (JSON.parse(Buffer.from(header, 'base64').toString()) as { message: string }).message;
}

describe('the sign-in of a wallet', () => {
  it('has the statement that the program chose', async () => {
    expect(await signedBy({})).toContain('\n\nSign in to Turnpike\n\n');
    expect(await signedBy({ signInStatement: 'Welcome to Acme.' })).toContain('\n\nWelcome to Acme.\n\n');
  });

  it.each(['', 'two\nlines', '<b>', 'x'.repeat(201), 7 as unknown as string])(
    'is refused at the start with the statement %j',
    (signInStatement) =>
      expect(() =>
        createTurnpike({ url: 'https://gateway.example', account: privateKeyToAccount(KEY), signInStatement }),
      ).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' })),
  );
});

function browserWallet() {
  const [one, two] = [1, 2].map((seed) => {
    const key = new Uint8Array(32).fill(seed);
    return { key, address: base58.encode(ed25519.getPublicKey(key)), chains: ['solana:mainnet'] };
  }) as [SolanaAccount, SolanaAccount];
  const refuse = () => Promise.reject(new Error('No'));
  const [connect, signTransaction] = [vi.fn(refuse), vi.fn(refuse)];
  const wallet = {
    name: 'Wallet',
    accounts: [one],
    features: {
      'standard:connect': { connect },
      'solana:signMessage': {
        signMessage: ({ account, message }: { account: SolanaAccount; message: Uint8Array }) =>
          Promise.resolve([{ signedMessage: message, signature: ed25519.sign(message, account.key) }]),
      },
      'solana:signTransaction': { signTransaction },
    },
  };
  return { wallet, one, two, connect, signTransaction };
}
interface SolanaAccount {
  key: Uint8Array;
  address: string;
  chains: string[];
}

function notingGateway(refuses = (_address: string) => false) {
  const callers: string[] = [];
  const gateway: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const url = new URL(String(input));
    if (url.pathname.endsWith('/top-up')) {
      const amount = String(Number(url.searchParams.get('amountUsd') ?? 5) * 1e6);
      return Promise.resolve(Response.json({ x402Version: 2, accepts: [{ ...TERMS, amount }] }, { status: 402 }));
    }
    const signIn = JSON.parse(Buffer.from(headers.get('sign-in-with-x') ?? '', 'base64').toString()) as SignIn;
    callers.push(signIn.address);
    return Promise.resolve(
      refuses(signIn.address)
        ? Response.json({ reason: 'insufficient_balance', minimumTopUpUsd: 5 }, { status: 402 })
        : Response.json({ ok: true }),
    );
  };
  return { callers, gateway };
}
interface SignIn {
  address: string;
}
const TERMS = {
  scheme: 'exact',
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'SysvarRent111111111111111111111111111111111',
  maxTimeoutSeconds: 60,
  extra: { feePayer: 'SysvarRent111111111111111111111111111111111' },
};

describe('a wallet that switches to another account', () => {
  it('calls as the account that it shows, and signs in once for each', async () => {
    const { wallet, one, two, connect } = browserWallet();
    const { callers, gateway } = notingGateway();
    const signedIn: string[] = [];
    const onEvent = (event: TurnpikeEvent) => void (event.type === 'signed-in' && signedIn.push(event.address));
    const customer = createTurnpike({ url: 'https://gateway.example', account: wallet, fetch: gateway, onEvent });
    for (const accounts of [[one], [one], [two], [two], []]) {
      wallet.accounts = accounts;
      await customer.fetch('/api/v1/models');
    }
    expect(callers).toEqual([one, one, two, two, two].map(({ address }) => address));
    expect(signedIn).toEqual([one.address, two.address]);
    expect(connect).not.toHaveBeenCalled();
  });

  it.each(['call', 'event'])('pays from no other account than the one that called, at the %s', async (when) => {
    const { wallet, one, two, signTransaction } = browserWallet();
    const { callers, gateway } = notingGateway((address) => {
      if (when === 'call') wallet.accounts = [two];
      return address === one.address;
    });
    const customer = createTurnpike({
      url: 'https://gateway.example',
      account: wallet,
      fetch: gateway,
      budget: { perDayUsd: 10 },
      solanaRpcUrl: 'http://127.0.0.1:1',
      onEvent: ({ type }) => void (type === 'top-up-begins' && (wallet.accounts = [two])),
    });
    await expect(customer.fetch('/api/v1/models')).rejects.toMatchObject({
      code: 'WALLET_FAILED',
      message: expect.stringContaining('another account'),
    });
    expect(signTransaction).not.toHaveBeenCalled();
    expect(customer.spentTodayUsd()).toBe(0);
    expect(await (await customer.fetch('/api/v1/models')).json()).toEqual({ ok: true });
    expect(callers).toEqual([one.address, two.address]);
  });
});
