import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EvmPaymentDraft } from '@/lib/client/evm-payment';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import type { EvmAccount } from './account/evm-account';
import { createTurnpike, type Turnpike, type TurnpikeOptions } from './turnpike';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const CBBTC = '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf';
const RECEIVER = `0x${'22'.repeat(20)}`;
const DAY_S = 86_400;
const START_MS = Date.UTC(2027, 0, 1);
const BLOCK = { method: 'eth_blockNumber', id: 1 };
const TERMS = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: USDC,
  payTo: RECEIVER,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
};
const REFUSED = () =>
  Response.json(
    {
      error: 'X402_INVALID_PAYMENT',
      code: 'X402_INVALID_PAYMENT',
      message: 'No.',
      details: { reason: 'insufficient_funds' },
    },
    { status: 400 },
  );
const CREDITED = () =>
  Response.json({ success: true, data: { paymentId: 'p', walletAddress: RECEIVER, amountCredited: 5, newBalance: 5 } });

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START_MS }));
afterEach(() => void vi.useRealTimers());

/** Payment that the wallet signed. It can be executed at any time until `validBefore`. */
interface Signed {
  atS: number;
  validBefore: number;
  value: bigint;
  domain: EvmPaymentDraft['typedData']['domain'];
}

/** Answers of a lying gateway. */
interface Lies {
  /** Replaces `accepts`. */
  accepts?: unknown;
  /** Changes the one correct entry. */
  terms?: Record<string, unknown>;
  /** Body of a call's 402. */
  missing?: Record<string, unknown>;
  /** Amount of terms asked without one. */
  minimumUsd?: number;
  outcome?: () => Response;
}

const nowS = (): number => Math.floor(Date.now() / 1_000);

/** Creates a customer whose wallet signs every request of this package, at a lying gateway. */
function customer(
  lies: Lies,
  options: Partial<TurnpikeOptions> = {},
): { turnpike: Turnpike; signed: Signed[]; call: () => Promise<unknown> } {
  const signed: Signed[] = [];
  const account: EvmAccount = {
    address: `0x${'11'.repeat(20)}`,
    signMessage: () => Promise.resolve('0x01'),
    signTypedData: ({ domain, message }) => {
      signed.push({ atS: nowS(), validBefore: Number(message.validBefore), value: message.value, domain });
      return Promise.resolve('0x01');
    },
  };
  const gateway: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    // Claims to be a sandbox, whose dollar would be another token of the wallet.
    if (url.pathname === '/api/sandbox')
      return Promise.resolve(
        Response.json({
          profile: 'sandbox',
          demoKey: '',
          evm: [{ network: 'base-mainnet', chainId: 8453, rpcUrl: '', contracts: { usdc: CBBTC } }],
          solana: null,
          enclave: null,
        }),
      );
    const isTopUp = url.pathname.endsWith('/x402/top-up');
    if (isTopUp && new Headers(init?.headers).has('payment-signature'))
      return Promise.resolve((lies.outcome ?? REFUSED)());
    if (!isTopUp)
      return Promise.resolve(
        Response.json(
          {
            error: 'Payment required',
            code: 'PAYMENT_REQUIRED',
            reason: 'insufficient_balance',
            currentBalanceUsd: 0,
            minimumBalanceUsd: 0.001,
            minimumTopUpUsd: 5,
            ...lies.missing,
          },
          { status: 402 },
        ),
      );
    const amount = String(Math.round(Number(url.searchParams.get('amountUsd') ?? lies.minimumUsd ?? 5) * 1e6));
    return Promise.resolve(
      Response.json(
        { x402Version: 2, accepts: 'accepts' in lies ? lies.accepts : [{ ...TERMS, amount, ...lies.terms }] },
        { status: 402 },
      ),
    );
  };
  const turnpike = createTurnpike({
    url: 'http://127.0.0.1:3000',
    account,
    budget: { perDayUsd: 5 },
    fetch: gateway,
    ...options,
  });
  return { turnpike, signed, call: () => turnpike.rpc('base-mainnet', BLOCK).catch((error: unknown) => error) };
}

const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1_000);

describe('a payment that the gateway says it refused', () => {
  it('counts toward the day: of ten calls under 5 USD a day, one has something signed', async () => {
    const { call, signed, turnpike } = customer({});
    for (let calls = 0; calls < 10; calls++) await call();
    expect(signed.map(({ value }) => value)).toEqual([5_000_000n]);
    expect(turnpike.spentTodayUsd()).toBe(0);
    expect(await call()).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      detail: { limit: 'perDayUsd', wouldBeUsd: 10 },
      message: expect.stringContaining('5.00 USD that the gateway refused but could still take') as string,
    });
  });

  it('counts on after it expired, since it may have been executed before, and is forgotten a day later', async () => {
    const { call, signed } = customer({ terms: { maxTimeoutSeconds: 1 } });
    await call();
    for (let minutes = 0; minutes < 24 * 60; minutes += 30) {
      await call();
      pass(30 * 60);
    }
    expect(signed).toHaveLength(1);
    pass(2);
    await call();
    expect(signed).toHaveLength(2);
  });

  it.each([
    ['many calls at once', (call: () => Promise<unknown>) => Promise.all(Array.from({ length: 20 }, call))],
    [
      'calls between which the gateway goes back to "pending"',
      (call: () => Promise<unknown>) => call().then(call).then(call),
    ],
  ])('counts once over %s', async (_what, calls) => {
    let answers = 0;
    const { call, signed } = customer({
      outcome: () =>
        answers++ % 2 === 0
          ? Response.json({ state: 'submitted' }, { status: 503, headers: { 'retry-after': '0.0001' } })
          : REFUSED(),
    });
    await calls(call);
    expect(signed).toHaveLength(1);
  });

  it('is shown in the event of the next one', async () => {
    const asked: unknown[] = [];
    const { call } = customer(
      {},
      {
        budget: { perDayUsd: 10 },
        onEvent: (event) =>
          void (event.type === 'top-up-begins' && asked.push([event.spentTodayUsd, event.refusedTodayUsd])),
      },
    );
    await call();
    await call();
    expect(asked).toEqual([
      [0, 0],
      [0, 5],
    ]);
  });
});

describe('a signed payment is executable', () => {
  it('for as long as the gateway asks, and no longer than ten minutes', async () => {
    for (const [maxTimeoutSeconds, validSeconds] of [
      [300, 300],
      [600, 600],
      [86_400, 600],
    ] as const) {
      const { call, signed } = customer({ terms: { maxTimeoutSeconds } });
      await call();
      expect(signed.map(({ validBefore, atS }) => validBefore - atS)).toEqual([validSeconds]);
    }
  });

  it('for as long as the customer allows', async () => {
    const { call, signed } = customer({ terms: { maxTimeoutSeconds: 86_400 } }, { paymentValidSeconds: 60 });
    await call();
    expect(signed.map(({ validBefore, atS }) => validBefore - atS)).toEqual([60]);
    for (const paymentValidSeconds of [0, 59, 86_401, 60.5, NaN, '600' as unknown as number])
      expect(() => customer({}, { paymentValidSeconds })).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  });
});

describe('a top-up without an amount', () => {
  it.each<[number, NonNullable<TurnpikeOptions['budget']>, number[]]>([
    [8, { perDayUsd: 10 }, [8_000_000]],
    [2, { perDayUsd: 10 }, [2_000_000]],
    [2, { perDayUsd: 10, topUpUsd: 3 }, [3_000_000]],
    [8, { perDayUsd: 10, topUpUsd: 6 }, []],
    [12, { perDayUsd: 10 }, []],
    [1e13, { perDayUsd: 10 }, []],
  ])('where the gateway takes %s USD or more, under the budget %j, signs %j', async (minimumUsd, budget, values) => {
    const { turnpike, signed } = customer({ minimumUsd, outcome: CREDITED }, { budget });
    const said = await turnpike.topUp().catch((error: unknown) => error);
    expect(signed.map(({ value }) => Number(value))).toEqual(values);
    if (values.length === 0)
      expect(said).toMatchObject({ code: expect.stringMatching(/^(BUDGET_EXCEEDED|TERMS_UNEXPECTED)$/) as string });
  });
});

describe('nothing is signed', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a validity that is a text', { maxTimeoutSeconds: '600' }],
    ['a validity that is a long text', { maxTimeoutSeconds: '1800000000000' }],
    ['a validity of more than a day', { maxTimeoutSeconds: 86_401 }],
    ['a validity in fractions', { maxTimeoutSeconds: 0.5 }],
    ['a validity of nothing', { maxTimeoutSeconds: 0 }],
    ['a validity in a list', { maxTimeoutSeconds: [600] }],
    ['no validity', { maxTimeoutSeconds: undefined }],
    ['an amount that is a number', { amount: 5_000_000 }],
    ['an amount in hex', { amount: '0x4c4b40' }],
    ['an amount with a zero before it', { amount: '05000000' }],
    ['an amount with a blank', { amount: ' 5000000' }],
    ['an amount in a list', { amount: ['5000000'] }],
    ['an amount in other digits', { amount: '５００００００' }],
    ['another amount', { amount: '50000000' }],
    ['an amount below nothing', { amount: '-5000000' }],
    ['another token', { asset: CBBTC }],
    ['the known address on another chain', { network: 'eip155:1' }],
    ['the known chain in other words', { network: 'eip155:08453' }],
    ['the known chain and more', { network: 'eip155:8453:1' }],
    ['a token in a list', { asset: [USDC] }],
    ['a token that is an object', { asset: { toLowerCase: USDC } }],
    ['a receiver that is no address', { payTo: 'gateway.eth' }],
    ['a receiver of another family', { payTo: 'So11111111111111111111111111111111111111112' }],
    ['a receiver in a list', { payTo: [RECEIVER] }],
    ['no domain', { extra: {} }],
    ['a domain that is no object', { extra: 'USD Coin' }],
    ['a domain of many lines', { extra: { name: 'USD Coin\nSign this too', version: '2' } }],
    ['a domain that is a number', { extra: { name: 'USD Coin', version: 2 } }],
  ])('for %s', async (_what, terms) => {
    const { call, signed } = customer({ terms });
    expect(await call()).toMatchObject({
      name: 'TurnpikeError',
      code: expect.stringMatching(/^(TERMS_UNEXPECTED|ANSWER_MALFORMED|ASSET_UNKNOWN)$/) as string,
    });
    expect(signed).toEqual([]);
  });

  it.each([undefined, null, 7, 'USDC', {}, [], [null], ['a'], [[]]])('for the terms %j', async (accepts) => {
    const { call, signed } = customer({ accepts });
    expect(await call()).toMatchObject({ name: 'TurnpikeError' });
    expect(signed).toEqual([]);
  });

  it('in another token that a sandbox on this machine calls its dollar, and in its own as before', async () => {
    const lying = customer({ terms: { asset: CBBTC } });
    expect(await lying.call()).toMatchObject({
      code: 'ASSET_UNKNOWN',
      message: expect.stringContaining(`eip155:8453/erc20:${CBBTC}`) as string,
    });
    expect(lying.signed).toEqual([]);
    const own = customer({ terms: { asset: SANDBOX_CONTRACTS.usdc } });
    await own.call();
    expect(own.signed).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the cost is not said', { minimumBalanceUsd: undefined }],
    ['the cost is a text', { minimumBalanceUsd: '0.001' }],
    ['the cost is beyond all books', { minimumBalanceUsd: 1e22 }],
    ['the cost is below nothing', { minimumBalanceUsd: -1 }],
    ['the cost is more', { minimumBalanceUsd: 0.02 }],
    ['the balance is a text', { currentBalanceUsd: '1' }],
    ['the minimum is a list', { minimumTopUpUsd: [5] }],
  ])('within a limit of 0.01 USD a call, where %s', async (_what, missing) => {
    const { call, signed } = customer({ missing }, { budget: { perDayUsd: 5, perCallUsd: 0.01 } });
    expect(await call()).toMatchObject({
      code: expect.stringMatching(/^(TERMS_UNEXPECTED|BUDGET_EXCEEDED)$/) as string,
    });
    expect(signed).toEqual([]);
  });
});

it('a wallet on Solana pays no fee, and reads no real chain from the gateway', async () => {
  const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const [wallet, other] = [
    'So11111111111111111111111111111111111111112',
    'SysvarRent111111111111111111111111111111111',
  ];
  const signer = {
    address: wallet,
    signMessages: () => Promise.resolve([{ [wallet]: new Uint8Array(64) }]),
    signTransactions: () => Promise.reject(new Error('It was asked to sign.')),
  };
  const paying = (feePayer: string) =>
    customer(
      {
        terms: {
          network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
          asset: SOLANA_USDC,
          payTo: other,
          extra: { feePayer },
        },
      },
      { account: signer },
    ).call();
  expect(await paying(wallet)).toMatchObject({
    code: 'TERMS_UNEXPECTED',
    message: expect.stringContaining('fee') as string,
  });
  expect(await paying(other)).toMatchObject({ code: 'SOLANA_RPC_MISSING' });
});

it('whatever a gateway answers and whenever it is called, what can be executed within any 24 hours is within the budget', async () => {
  const odd = fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.double(), fc.constant(undefined));
  const terms = fc.record(
    {
      amount: fc.oneof(odd, fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String)),
      maxTimeoutSeconds: fc.oneof(odd, fc.integer({ min: -1, max: 100_000 }), fc.nat().map(String)),
      asset: fc.oneof(odd, fc.constantFrom(USDC, CBBTC, SANDBOX_CONTRACTS.usdc)),
      network: fc.oneof(odd, fc.constantFrom('eip155:8453', 'eip155:1', 'eip155:31337')),
      payTo: odd,
      extra: odd,
    },
    { requiredKeys: [] },
  );
  const missing = fc.record(
    {
      minimumTopUpUsd: fc.oneof(odd, fc.double({ min: 0, max: 20 })),
      minimumBalanceUsd: fc.oneof(odd, fc.double({ min: 0, max: 20 })),
      currentBalanceUsd: odd,
    },
    { requiredKeys: [] },
  );
  const outcome = fc.constantFrom(
    REFUSED,
    CREDITED,
    () => Response.json({}, { status: 500 }),
    () => new Response('no JSON'),
    () => Response.json({ data: { amountCredited: '5' } }),
  );
  const turn = fc.record({
    terms: fc.oneof(fc.constant({}), terms),
    missing: fc.oneof(fc.constant({}), missing),
    outcome,
    passS: fc.oneof(fc.constant(0), fc.nat(2 * 3_600), fc.nat(2 * DAY_S)),
    calls: fc.integer({ min: 1, max: 2 }),
    byHandUsd: fc.option(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined })),
  });
  const PER_DAY_UNITS = 12_000_000n;
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
      vi.setSystemTime(START_MS);
      const lies: Lies = {};
      const { turnpike, call, signed } = customer(lies, { budget: { perDayUsd: 12 } });
      for (const { passS, calls, byHandUsd, ...said } of turns) {
        Object.assign(lies, said);
        await Promise.all([
          ...Array.from({ length: calls }, call),
          ...(byHandUsd === null ? [] : [turnpike.topUp(byHandUsd).catch(() => undefined)]),
        ]);
        pass(passS);
      }
      paid += signed.length;
      // Assumes the worst time of execution for each payment, between signature and expiry.
      for (const { validBefore } of signed) {
        const executable = signed.filter((each) => each.validBefore > validBefore - DAY_S && each.atS <= validBefore);
        expect(executable.reduce((sum, { value }) => sum + value, 0n)).toBeLessThanOrEqual(PER_DAY_UNITS);
      }
      for (const { domain, validBefore, atS } of signed) {
        expect(validBefore - atS).toBeLessThanOrEqual(600);
        expect([`8453 ${USDC}`, `8453 ${SANDBOX_CONTRACTS.usdc}`, `31337 ${SANDBOX_CONTRACTS.usdc}`]).toContain(
          `${domain.chainId} ${domain.verifyingContract}`,
        );
      }
    }),
    { numRuns: 200 },
  );
  expect(paid).toBeGreaterThan(200);
}, 120_000);
