import fc from 'fast-check';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { type Asked, json } from './endpoint';
import { CHAINS, hostileValue, TOKENS } from './hostile-values';
import { ownLie } from './lies';
import type { Answer } from './scenario';

const RECEIVER = '0x00000000000000000000000000000000000000aa';
export const BASE_CHAIN = 'eip155:8453';
export const SOLANA_CHAIN = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_RECEIVER = 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg';
const FEE_PAYER = 'SysvarC1ock11111111111111111111111111111111';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** Returns the payment requirements for a call that the balance does not cover. */
function unpaid(value: unknown = {}): Answer {
  const { ...amounts } = typeof value === 'object' && value !== null ? value : {};
  return json(
    {
      error: 'Insufficient balance.',
      code: 'PAYMENT_REQUIRED',
      hint: 'Top up.',
      reason: 'insufficient_balance',
      currentBalanceUsd: 0,
      minimumBalanceUsd: 0.01,
      minimumTopUpUsd: 5,
      suggestedTopUpUsd: 10,
      ...amounts,
    },
    {},
    402,
  );
}

/** Requires payment for a wallet without a balance. Calls with an API key are always paid. */
export const paid =
  (answer: (asked: Asked) => Answer) =>
  (asked: Asked): Answer =>
    asked.request.headers['authorization'] === undefined && asked.scenario.balanceUsd <= 0 ? unpaid() : answer(asked);

export const amount = fc.oneof(
  fc.constantFrom(0, 0.01, 1, 4.999_999, 5, 5.000_000_1, 20, 50, 1e6, 1e15, -1, -100),
  fc.double({ noNaN: true }),
  hostileValue,
);
export const unpaidLie = ownLie(
  'unpaid',
  fc.record({ currentBalanceUsd: amount, minimumBalanceUsd: amount, minimumTopUpUsd: amount }, { requiredKeys: [] }),
);
export const withUnpaid = {
  lies: unpaidLie,
  falsify: (answer: Answer, { name, value }: { name: string; value: unknown }) =>
    name === 'unpaid' ? unpaid(value) : answer,
};

const SETTLING = {
  accepts: ['scheme', 'network', 'asset', 'amount', 'payTo', 'maxTimeoutSeconds', 'extra'],
  denials: ['denied', 'not-credited', 'pending'],
};
const timeout = fc.oneof(
  fc.integer({ min: 601, max: 86_400 }),
  fc.constantFrom<unknown>(
    '600',
    '1800000000000',
    1e9,
    1e12,
    1e308,
    86_400,
    86_401,
    0,
    -1,
    0.5,
    1,
    null,
    true,
    [600],
    '0x258',
    600.5,
    -0,
  ),
  hostileValue,
);
export const termLie = fc.oneof(
  ownLie('term', fc.record({ member: fc.constantFrom(...SETTLING.accepts), value: hostileValue })),
  ownLie('term', fc.record({ member: fc.constant('maxTimeoutSeconds'), value: timeout })),
  ownLie(
    'term',
    fc.record({
      member: fc.constant('amount'),
      value: fc.constantFrom<unknown>(
        5_000_000,
        '50000000',
        '5000000.0',
        '05000000',
        '+5000000',
        ' 5000000',
        '5e6',
        0,
        '0',
        '-5000000',
        '0x4c4b40',
      ),
    }),
  ),
  ownLie('term', fc.record({ member: fc.constant('asset'), value: fc.constantFrom(...TOKENS) })),
  ownLie('term', fc.record({ member: fc.constant('network'), value: fc.constantFrom(...CHAINS) })),
  ownLie('settling', fc.constantFrom(...SETTLING.denials)),
);

/** Accepts a payment, or returns the payment requirements. */
export function toppedUp({ request, query, scenario }: Asked): Answer {
  const header = request.headers['payment-signature'];
  if (header === undefined)
    return json(
      {
        x402Version: 2,
        error: 'Payment required',
        resource: { url: 'http://gateway.example/', description: 'Prepaid balance', mimeType: 'application/json' },
        accepts: [termsOf(query), solanaTermsOf(query)],
      },
      {},
      402,
    );
  scenario.balanceUsd += paidUsd(header);
  const receipt = { success: true, network: BASE_CHAIN, transaction: `0x${'cd'.repeat(32)}` };
  return json(
    {
      success: true,
      data: {
        paymentId: 'pay-1',
        walletAddress: RECEIVER,
        amountCredited: paidUsd(header),
        newBalance: scenario.balanceUsd,
      },
    },
    { 'payment-response': Buffer.from(JSON.stringify(receipt)).toString('base64') },
  );
}

function termsOf(query: URLSearchParams): Record<string, unknown> {
  const units = Math.round(Number(query.get('amountUsd') ?? '5') * 1e6);
  return {
    scheme: 'exact',
    network: BASE_CHAIN,
    asset: SANDBOX_CONTRACTS.usdc,
    amount: String(units),
    payTo: RECEIVER,
    maxTimeoutSeconds: 600,
    extra: { name: 'USD Coin', version: '2' },
  };
}

function solanaTermsOf(query: URLSearchParams): Record<string, unknown> {
  return {
    ...termsOf(query),
    network: SOLANA_CHAIN,
    asset: SANDBOX_USDC_MINT,
    payTo: SOLANA_RECEIVER,
    extra: { feePayer: FEE_PAYER },
  };
}

/** Answers as a simulated Solana node about a mint and the latest block. */
export function solanaAnswer({ request }: Asked): Answer {
  const { id, method } = JSON.parse(request.body.toString('utf8')) as { id: unknown; method: string };
  const context = { apiVersion: '2.0.0', slot: 1 };
  const result =
    method === 'getLatestBlockhash'
      ? { context, value: { blockhash: SOLANA_RECEIVER, lastValidBlockHeight: 150 } }
      : {
          context,
          value: {
            data: [mintAccount(), 'base64'],
            executable: false,
            lamports: 1,
            owner: TOKEN_PROGRAM,
            rentEpoch: 0,
            space: 82,
          },
        };
  return json({ jsonrpc: '2.0', id, result });
}

/** Makes the account data of an SPL Token mint with 6 decimals and no authorities. */
function mintAccount(): string {
  const state = Buffer.alloc(82);
  state.writeBigUInt64LE(1_000_000n, 36);
  state[44] = 6;
  state[45] = 1;
  return state.toString('base64');
}

function paidUsd(header: string): number {
  const { accepted } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as { accepted: { amount: string } };
  return Number(accepted.amount) / 1e6;
}

export function falsifiedTopUp(
  answer: Answer,
  { name, value }: { name: string; value: unknown },
  { request, query, scenario }: Asked,
): Answer {
  const isPayment = request.headers['payment-signature'] !== undefined;
  if (name === 'term' && !isPayment) {
    const { member, value: term } = value as { member: string; value: unknown };
    return {
      ...answer,
      json: {
        ...(answer.json as object),
        accepts: [termsOf(query), solanaTermsOf(query)].map((terms) => ({ ...terms, [member]: term })),
      },
    };
  }
  if (name !== 'settling' || !isPayment) return answer;
  scenario.balanceUsd = 0;
  if (value === 'denied')
    return json(
      {
        error: 'X402_INVALID_PAYMENT',
        code: 'X402_INVALID_PAYMENT',
        hint: '',
        message: 'The payment was not accepted.',
        details: { _errors: [], reason: 'invalid_payment', paymentId: 'pay-1' },
      },
      {},
      400,
    );
  return value === 'pending'
    ? json(
        { error: 'Pending', code: 'X402_PAYMENT_PENDING', hint: '', state: 'verified', paymentId: 'pay-1' },
        { 'retry-after': '1e9' },
        503,
      )
    : answer;
}
