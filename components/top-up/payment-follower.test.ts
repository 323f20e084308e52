import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createReadCache } from '@/lib/browser/reads/read-cache';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import type { KeptPayment } from './tracked-payments';

const KEPT: KeptPayment = {
  id: 'a',
  payment: 'eyJ9',
  family: 'evm',
  payer: '0x1',
  network: 'eip155:31337',
  rpcNetwork: 'sandbox-testnet',
  isStandIn: true,
  title: 'T',
  amount: '5.00',
  symbol: 'USDC',
  signedAtMs: 1,
  expiresAtMs: 2,
};
const CREDIT = { success: true, data: { walletAddress: '0x1', amountCredited: 5, newBalance: 5, paymentId: 'pay_1' } };

/** Stubs a browser's storage, and a gateway that returns these answers one by one. */
function browserWith(stored: unknown, answers: (() => Response | Promise<Response>)[]) {
  const values = new Map([['turnpike.payments', JSON.stringify(stored)]]);
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  vi.stubGlobal('window', {
    location: { origin: 'http://h' },
    addEventListener: () => undefined,
    localStorage: storage,
    sessionStorage: { ...storage, getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
  });
  const keptAtSending: string[] = [];
  const send = vi.fn(async () => {
    keptAtSending.push(values.get('turnpike.payments') ?? '');
    return (answers.shift() ?? (() => Promise.reject(new TypeError('offline'))))();
  });
  vi.stubGlobal('fetch', send);
  return { send, keptAtSending, kept: () => JSON.parse(values.get('turnpike.payments') ?? '[]') as KeptPayment[] };
}

const WALLET = { family: 'solana', address: 'S', walletName: 'W', isDemo: false, chainId: null } as const;
const RAIL: PayRail = {
  family: 'solana',
  network: 'solana:x',
  rpcNetwork: 'solana-devnet',
  title: 'Solana',
  asset: 'mint',
  payTo: 'T',
  decimals: 6,
  rpcUrl: 'http://h/rpc',
} as PayRail;

/** Renders the payment of a page with a scripted Solana wallet. */
async function solanaPage() {
  const sign = { asked: false, answer: (_signed: Uint8Array): void => undefined };
  vi.doMock('@/lib/client', async (original) => ({
    ...(await original<object>()),
    readPaymentOptions: () => Promise.resolve([{ network: RAIL.network, asset: 'mint', payTo: 'T', amount: '5' }]),
    signSolanaPayment: async (
      _terms: object,
      wallet: { signTransaction: (wire: Uint8Array) => Promise<Uint8Array> },
    ) => {
      await wallet.signTransaction(new Uint8Array(1));
      return 'eyJ9';
    },
  }));
  vi.doMock('@/lib/browser/wallet/solana-transfer', () => ({
    readSolanaTransfer: () => ({ mint: 'mint', amount: 5n, authority: 'S', feePayer: 'F', instructions: [] }),
    isAssociatedAccount: () => true,
  }));
  vi.doMock('@/lib/browser/wallet/wallet-store', async (original) => ({
    ...(await original<object>()),
    walletState: () => ({ solana: WALLET }),
    walletLayer: () =>
      Promise.resolve({
        signSolanaTransaction: () =>
          new Promise<Uint8Array>((resolve) => Object.assign(sign, { asked: true, answer: resolve })),
      }),
  }));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  Object.assign(window, { HTMLIFrameElement: class {} });
  const { usePay } = await import('./use-pay');
  const { ReadsProvider } = await import('@/lib/browser/reads/use-read');
  let pay: ReturnType<typeof usePay> | undefined;
  function Page() {
    pay = usePay();
    return null;
  }
  const listener = { addEventListener: () => undefined };
  const root = createRoot({ nodeType: 1, tagName: 'DIV', ownerDocument: listener, ...listener } as unknown as Element);
  await act(() => root.render(createElement(ReadsProvider, { value: createReadCache() }, createElement(Page))));
  return { pay: () => pay!, leave: () => act(() => root.unmount()), sign };
}

const answer = (status: number, body: object) => () => new Response(JSON.stringify(body), { status });

beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  ['@/lib/client', '@/lib/browser/wallet/solana-transfer', '@/lib/browser/wallet/wallet-store'].forEach(vi.doUnmock);
  vi.resetModules();
});

describe('a signed payment', () => {
  it('is kept before it is sent, and dropped once it is credited', async () => {
    const browser = browserWith([], [answer(200, CREDIT)]);
    const { startPayment } = await import('./payment-follower');
    startPayment(KEPT, createReadCache());
    await vi.waitFor(() => expect(browser.kept()).toEqual([]));
    expect(browser.keptAtSending.map((text) => (JSON.parse(text) as KeptPayment[])[0]?.payment)).toEqual(['eyJ9']);
  });

  it('is taken up by the next page, once however often that is asked', async () => {
    const browser = browserWith([KEPT], [answer(200, CREDIT)]);
    const { resumePayments } = await import('./payment-follower');
    const reads = createReadCache();
    const readAgain = vi.spyOn(reads, 'readAgain');
    resumePayments(reads);
    resumePayments(reads);
    await vi.waitFor(() => expect(browser.kept()).toEqual([]));
    expect(browser.send).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(readAgain).toHaveBeenCalledWith(['balance']));
  });

  it('on Solana is sent although its page was left while the wallet was asked', async () => {
    const browser = browserWith([], [answer(200, CREDIT)]);
    vi.stubGlobal('localStorage', window.localStorage);
    const { pay, leave, sign } = await solanaPage();
    await act(() => pay().review({ rail: RAIL, wallet: WALLET, usd: '5', units: 5n }));
    expect(pay().state.step).toBe('review');
    let signing = Promise.resolve();
    act(() => void (signing = pay().sign()));
    await vi.waitFor(() => expect(sign.asked).toBe(true));
    await leave();
    sign.answer(new Uint8Array(1));
    await signing;
    await vi.waitFor(() => expect(browser.send).toHaveBeenCalledOnce());
    await vi.waitFor(() => expect(browser.kept()).toEqual([]));
  });

  it('is listed after newer ones, also when both are taken up', async () => {
    const browser = browserWith([{ ...KEPT, id: 'newer' }, KEPT], [answer(200, CREDIT), answer(200, CREDIT)]);
    const { resumePayments } = await import('./payment-follower');
    const { trackedPayments } = await import('./tracked-payments');
    resumePayments(createReadCache());
    expect(trackedPayments().map(({ kept }) => kept.id)).toEqual(['newer', 'a']);
    // Payments that are still sent after the test would look for a browser that is gone.
    await vi.waitFor(() => expect(browser.kept()).toEqual([]));
  });

  it('is dropped when it is refused for good, and kept when an answer says nothing of it', async () => {
    const refused = {
      error: 'X402_INVALID_PAYMENT',
      code: 'X402_INVALID_PAYMENT',
      message: 'Expired.',
      details: { reason: 'x' },
    };
    const browser = browserWith(
      [],
      [answer(400, refused), answer(500, { error: 'Broken.', code: 'INTERNAL_ERROR' }), answer(200, CREDIT)],
    );
    const { startPayment, retryPayment } = await import('./payment-follower');
    const reads = createReadCache();
    startPayment(KEPT, reads);
    await vi.waitFor(() => expect(browser.kept()).toEqual([]));
    startPayment({ ...KEPT, id: 'b' }, reads);
    await vi.waitFor(() => expect(browser.send).toHaveBeenCalledTimes(2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(browser.kept()).toHaveLength(1);
    retryPayment('b', reads);
    await vi.waitFor(() => expect(browser.kept()).toEqual([]));
  });
});
