import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { mintTokenAudience, TERMS_DIGEST_NAME } from '@/lib/protocol/api-keys/mint-token';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import type { EnclaveChats } from './enclave-chats';
import { CHAINS, hostileValue, TOKENS, TRAP } from './hostile-values';
import { type Lie, ownLie, streamLie } from './lies';
import type { Answer, Scenario, SeenRequest } from './scenario';

/** Groups of endpoints. The full attack falsifies 10,000 answers of each group. */
export const FAMILIES = ['books', 'keys', 'chains', 'models', 'chats', 'media', 'money'] as const;
export type Family = (typeof FAMILIES)[number];

/** Input of an endpoint's answer. */
interface Asked {
  request: SeenRequest;
  query: URLSearchParams;
  scenario: Scenario;
  chats: EnclaveChats;
  /** Origin of the gateway. */
  origin: string;
}

/** Gateway endpoint that clients call: its honest answer, and the lies specific to it. */
export interface Endpoint {
  id: string;
  family: Family;
  method: string;
  /** Matches the path after the scenario's prefix. */
  path: RegExp;
  answer(asked: Asked): Answer;
  /** Falsifications that only this endpoint has. */
  lies?: fc.Arbitrary<Lie>;
  /** Applies an endpoint-specific lie to an honest answer. */
  falsify?: (answer: Answer, lie: Extract<Lie, { kind: 'own' }>, asked: Asked) => Answer;
}

const json = (value: unknown, headers: Record<string, string> = {}, status = 200): Answer => ({
  status,
  headers: { 'x-request-id': 'req-1', ...headers },
  json: value,
});

const RECEIVER = '0x00000000000000000000000000000000000000aa';
export const BASE_CHAIN = 'eip155:8453';
export const SOLANA_CHAIN = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_RECEIVER = 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg';
const FEE_PAYER = 'SysvarC1ock11111111111111111111111111111111';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const KEY = {
  id: 'key-1',
  apiKeyType: 'INFERENCE',
  description: 'one',
  last6Chars: 'abcdef',
  consumptionLimit: { usd: null, diem: null },
  limitPeriod: 'LIFETIME',
  usage: { currentPeriod: { usd: 0, diem: 0 }, total: { usd: 0, diem: 0 } },
  allow: null,
  prepaidLimitUsd: null,
  alert: null,
  createdAt: '2026-11-01T00:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};
const CHARGE = {
  timestamp: '2026-11-21T00:00:00Z',
  resource: 'rpc',
  detail: 'eth_blockNumber',
  units: 20,
  amount: '0.000020000',
  currency: 'X402',
  pots: { X402: '0.000020000' },
  apiKey: null,
  requestId: 'req-1',
};
const CHARGE_SUMS = {
  startDate: '2026-11-01',
  endDate: '2026-11-21',
  data: [{ group: '2026-11-21', charges: 3, units: 60, amount: '0.000060000' }],
  totals: {
    charges: 3,
    amount: '0.000060000',
    refunded: '0.000000000',
    pots: {
      X402: {
        opening: '0.000000000',
        credited: '5.000000000',
        charged: '0.000060000',
        expired: '0.000000000',
        closing: '4.999940000',
      },
    },
    reconciles: true,
  },
};

const SPEAKER = {
  id: 'tts-1',
  type: 'tts',
  model_spec: {
    name: 'Speaker',
    voices: ['af_sky'],
    default_voice: 'af_sky',
    languages: ['en'],
    supported_formats: ['mp3', 'wav'],
    default_format: 'mp3',
    pricing: { input: { usd: 15 } },
    engine: 'engine 1',
    offline: false,
  },
};
const CAMERA = {
  id: 'video-1',
  type: 'video',
  model_spec: {
    name: 'Camera',
    durations: ['5s'],
    aspect_ratios: ['16:9'],
    pricing: { per_second: { usd: 0.1 } },
    engine: 'engine 1',
    offline: false,
  },
};
const PAINTER = {
  id: 'image-1',
  type: 'image',
  model_spec: { name: 'Painter', sizes: ['512x512'], pricing: { generation: { usd: 0.04 } }, offline: false },
};
const EMBEDDER = {
  id: 'embedding-1',
  type: 'embedding',
  model_spec: { name: 'Embedder', dimensions: 1, pricing: { input: { usd: 0.02 } }, offline: false },
};
const CHATTER = {
  id: 'e2ee-guide',
  type: 'text',
  object: 'model',
  created: 1,
  owned_by: 'x',
  model_spec: {
    name: 'Guide',
    availableContextTokens: 32_768,
    maxCompletionTokens: 4_096,
    capabilities: {
      supportsE2EE: true,
      supportsTeeAttestation: true,
      supportsResponseSchema: true,
      supportsFunctionCalling: true,
    },
    pricing: { input: { usd: 1 }, output: { usd: 2 } },
    offline: false,
    encryption: 'ecdsa',
  },
};

const MODELS = [SPEAKER, CAMERA, PAINTER, EMBEDDER];

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
const paid =
  (answer: (asked: Asked) => Answer) =>
  (asked: Asked): Answer =>
    asked.request.headers['authorization'] === undefined && asked.scenario.balanceUsd <= 0 ? unpaid() : answer(asked);

const amount = fc.oneof(
  fc.constantFrom(0, 0.01, 1, 4.999_999, 5, 5.000_000_1, 20, 50, 1e6, 1e15, -1, -100),
  fc.double({ noNaN: true }),
  hostileValue,
);
const unpaidLie = ownLie(
  'unpaid',
  fc.record({ currentBalanceUsd: amount, minimumBalanceUsd: amount, minimumTopUpUsd: amount }, { requiredKeys: [] }),
);
const withUnpaid = {
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
const termLie = fc.oneof(
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

const CLAIMS = { iss: DEFAULT_BRAND.slug, aud: mintTokenAudience(DEFAULT_BRAND.slug) };
const termsClaim = (query: URLSearchParams): Record<string, unknown> =>
  query.has(TERMS_DIGEST_NAME) ? { [TERMS_DIGEST_NAME]: query.get(TERMS_DIGEST_NAME) } : {};
/**
 * Kinds of text that a gateway may send in place of its token. A client must not sign them, because the signature would
 * be worth something elsewhere.
 */
const TOKEN_FORMS = [
  'of-another-origin',
  'of-another-gateway',
  'sign-in',
  'text',
  'other-audience',
  'other-issuer',
  'no-claims',
  'expired',
  'years',
  'other-terms',
  'hex',
  'not-jwt',
  'with-lines',
] as const;

/** Makes a validation token like a gateway's. */
export function mintToken(claims: Record<string, unknown> = {}): string {
  const now = Math.floor(Date.now() / 1_000);
  const [head, body] = [
    { alg: 'HS256', typ: 'JWT' },
    { ...CLAIMS, iat: now, exp: now + 900, jti: '0c63a2a6-6fbb-4f5c-8a0a-4ed7a2f0a6b1', ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${head}.${body}.${createHmac('sha256', 'a secret of the lying gateway').update(`${head}.${body}`).digest('base64url')}`;
}

function falseToken(form: unknown, origin: string, query: URLSearchParams): string {
  const terms = termsClaim(query);
  const now = Math.floor(Date.now() / 1_000);
  switch (form as (typeof TOKEN_FORMS)[number]) {
    case 'of-another-origin':
      return mintToken({ ...terms, origin: 'https://bank.example' });
    case 'of-another-gateway':
      return mintToken({ ...terms, origin: TRAP });
    case 'sign-in':
      return `bank.example wants you to sign in with your Ethereum account:\n0x0000000000000000000000000000000000000001\n\nSign in\n\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: ${new Date().toISOString()}`;
    case 'text':
      return 'I owe the bearer 1,000,000 USD.';
    case 'other-audience':
      return mintToken({ ...terms, origin, aud: 'turnpike:withdraw' });
    case 'other-issuer':
      return mintToken({ ...terms, origin, iss: 'bank' });
    case 'no-claims':
      return `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.x`;
    case 'expired':
      return mintToken({ ...terms, origin, iat: now - 9_000, exp: now - 8_000 });
    case 'years':
      return mintToken({ ...terms, origin, exp: now + 1e9 });
    case 'other-terms':
      return mintToken({ origin, [TERMS_DIGEST_NAME]: 'ab'.repeat(32) });
    case 'hex':
      return `0x${'ab'.repeat(32)}`;
    case 'with-lines':
      return `${mintToken({ ...terms, origin })}\nand all my money`;
    default:
      return 'a.b.c';
  }
}

export const ENDPOINTS: readonly Endpoint[] = [
  {
    id: 'balance',
    family: 'books',
    method: 'GET',
    path: /^\/api\/v1\/billing\/balance$/,
    answer: ({ scenario }) =>
      json({
        canConsume: true,
        consumptionCurrency: 'X402',
        balances: { diem: 0, bundledCredits: 0, usd: 3 },
        diemEpochAllocation: 1,
        diemEpochEndsAt: '2026-11-22T00:00:00Z',
        x402Usd: scenario.balanceUsd,
      }),
  },
  {
    id: 'charges',
    family: 'books',
    method: 'GET',
    path: /^\/api\/v1\/billing\/usage$/,
    answer: ({ query }) =>
      json(
        query.has('groupBy')
          ? structuredClone(CHARGE_SUMS)
          : { data: [{ ...CHARGE }, { ...CHARGE }], pagination: { hasMore: false, nextCursor: null } },
      ),
  },
  {
    id: 'keys',
    family: 'keys',
    method: 'GET',
    path: /^\/api\/v1\/api_keys$/,
    answer: () =>
      json({
        success: true,
        data: [structuredClone(KEY), structuredClone(KEY)],
        pagination: { limit: 100, offset: 0, hasMore: false },
        usageAsOf: '2026-11-21T00:00:00Z',
      }),
  },
  {
    id: 'revoke',
    family: 'keys',
    method: 'DELETE',
    path: /^\/api\/v1\/api_keys$/,
    answer: () => json({ success: true }),
  },
  {
    id: 'mint-token',
    family: 'keys',
    method: 'GET',
    path: /^\/api\/v1\/api_keys\/generate_web3_key$/,
    answer: ({ origin, query }) =>
      json({ success: true, data: { token: mintToken({ origin, ...termsClaim(query) }) } }),
    lies: ownLie('token', fc.constantFrom(...TOKEN_FORMS)),
    falsify: (_answer, { value }, { origin, query }) =>
      json({ success: true, data: { token: falseToken(value, origin, query) } }),
  },
  {
    id: 'mint',
    family: 'keys',
    method: 'POST',
    path: /^\/api\/v1\/api_keys\/generate_web3_key$/,
    answer: () =>
      json({
        success: true,
        data: {
          apiKey: 'sk_minted',
          apiKeyType: 'INFERENCE',
          consumptionLimit: { usd: 1, diem: null },
          limitPeriod: 'EPOCH',
          description: 'one',
          expiresAt: null,
          id: 'key-2',
        },
      }),
  },
  {
    id: 'rpc',
    family: 'chains',
    method: 'POST',
    path: /^\/api\/v1\/crypto\/rpc\/[^/]+$/,
    answer: paid(() =>
      json(
        { jsonrpc: '2.0', id: 1, result: { number: '0x10', hash: `0x${'ab'.repeat(32)}` } },
        { 'x-service-rpc-credits': '20', 'x-service-rpc-cost-usd': '0.00002000', 'x-balance-remaining': '4.99' },
      ),
    ),
    ...withUnpaid,
  },
  {
    id: 'networks',
    family: 'chains',
    method: 'GET',
    path: /^\/api\/v1\/crypto\/rpc\/networks$/,
    answer: () => json({ networks: ['base-mainnet', 'ethereum-mainnet'] }),
  },
  {
    id: 'models',
    family: 'models',
    method: 'GET',
    path: /^\/api\/v1\/models(\/[^/]+)?$/,
    answer: ({ query }) =>
      json({
        object: 'list',
        data: [structuredClone(MODELS.find(({ type }) => type === query.get('type')) ?? CHATTER)],
      }),
    lies: ownLie('format', hostileValue),
    falsify: (answer, { value }) => {
      const [entry] = (answer.json as { data: { model_spec: Record<string, unknown> }[] }).data;
      if (entry) Object.assign(entry.model_spec, { default_format: value, supported_formats: [value] });
      return answer;
    },
  },
  {
    id: 'settings',
    family: 'models',
    method: 'GET',
    path: /^\/api\/settings$/,
    answer: () =>
      json({
        profile: 'sandbox',
        pricePerCreditUsd: '0.000001',
        signIn: { statement: 'Sign in to Turnpike', chainIds: [8453] },
        staking: { symbols: { stake: 'TPK', dailyCredit: 'TOLL' }, dailyPoolUsd: 100, deployments: [] },
        rails: [],
        minimumTopUpUsd: 5,
        walletConnectProjectId: null,
      }),
  },
  {
    id: 'network-health',
    family: 'models',
    method: 'GET',
    path: /^\/api\/network-health$/,
    answer: () =>
      json({
        networks: [
          {
            network: 'base-mainnet',
            upstreams: [
              { name: 'upstream 1', state: 'healthy', latencyP50Ms: 12, height: '123', lagBlocks: 0, lastError: null },
            ],
          },
        ],
      }),
  },
  {
    id: 'sandbox',
    family: 'money',
    method: 'GET',
    path: /^\/api\/sandbox$/,
    answer: ({ chats, origin }) =>
      json({
        profile: 'sandbox',
        demoKey: 'sk_demo',
        evm: [{ network: 'base-mainnet', chainId: 8453, rpcUrl: `${origin}/rpc`, contracts: { ...SANDBOX_CONTRACTS } }],
        solana: null,
        enclave: { root: chats.root },
      }),
    lies: ownLie('tokens', fc.array(hostileValue, { minLength: 1, maxLength: 3 })),
    falsify: (answer, { value }) => ({
      ...answer,
      json: {
        ...(answer.json as object),
        evm: (value as unknown[]).map((usdc) => ({
          network: 'base-mainnet',
          chainId: 8453,
          rpcUrl: TRAP,
          contracts: { usdc },
        })),
      },
    }),
  },
  {
    id: 'top-up',
    family: 'money',
    method: 'POST',
    path: /^\/api\/v1\/x402\/top-up$/,
    answer: toppedUp,
    lies: termLie,
    falsify: falsifiedTopUp,
  },
  {
    id: 'solana-rpc',
    family: 'money',
    method: 'POST',
    path: /^\/api\/sandbox\/rpc\/solana-mainnet$/,
    answer: solanaAnswer,
  },
  {
    id: 'attestation',
    family: 'chats',
    method: 'GET',
    path: /^\/api\/v1\/tee\/attestation$/,
    answer: ({ chats, query, scenario }) =>
      json(scenario.falsify(chats.attestation(query.get('model') ?? '', query.get('nonce') ?? ''))),
    lies: fc.oneof(
      ownLie('tampering', fc.constantFrom('wrong-key', 'wrong-nonce', 'debug')),
      ownLie('own-key', fc.constant(null)),
    ),
    falsify: falsifiedAttestation,
  },
  {
    id: 'signature',
    family: 'chats',
    method: 'GET',
    path: /^\/api\/v1\/tee\/signature$/,
    answer: ({ chats, query }) => {
      const signature = chats.signature(query.get('request_id') ?? '', query.get('model'));
      return signature === null
        ? json({ error: 'There is no such completion.', code: 'NOT_FOUND', hint: '' }, {}, 404)
        : json(signature);
    },
    lies: fc.oneof(ownLie('other-text', fc.string()), ownLie('other-signer', fc.constant(null))),
    falsify: (answer, { name, value }, { chats }) => {
      const signed = answer.json as { text?: string };
      if (name === 'other-signer') return { ...answer, json: { ...signed, signature: `0x${'11'.repeat(64)}1b` } };
      return { ...answer, json: { ...signed, text: `${String(value)}`, signature: chats.enclave.sign(String(value)) } };
    },
  },
  {
    id: 'chat',
    family: 'chats',
    method: 'POST',
    path: /^\/api\/v1\/chat\/completions$/,
    answer: paid(({ request, scenario, chats }) => {
      scenario.beforeChat();
      const { contentType, bytes, text } = chats.answer(request.body, request.headers);
      scenario.truths.push(text);
      const headers = { 'content-type': contentType, 'x-request-id': 'req-1', 'x-balance-remaining': '4.99' };
      // A complete answer is JSON, so that lies can change its members. Without changes, the bytes stay the same.
      return contentType === 'application/json'
        ? { status: 200, headers, json: JSON.parse(bytes.toString('utf8')) as unknown }
        : { status: 200, headers, bytes };
    }),
    lies: fc.oneof(streamLie, streamLie, streamLie, unpaidLie),
    falsify: withUnpaid.falsify,
  },
  {
    id: 'speech',
    family: 'media',
    method: 'POST',
    path: /^\/api\/v1\/audio\/speech$/,
    answer: paid(() => ({
      status: 200,
      headers: { 'content-type': 'audio/mpeg', 'x-request-id': 'req-1', 'x-service-speech-engine': 'engine 1' },
      bytes: Buffer.from('ID3 some audio'),
    })),
    ...withUnpaid,
  },
  {
    id: 'images',
    family: 'media',
    method: 'POST',
    path: /^\/api\/v1\/images\/generations$/,
    answer: paid(() => json({ created: 1, data: [{ b64_json: btoa('\x89PNG\r\n\x1a\n and a picture') }] })),
    ...withUnpaid,
  },
  {
    id: 'embeddings',
    family: 'media',
    method: 'POST',
    path: /^\/api\/v1\/embeddings$/,
    answer: paid(() =>
      json({ data: [{ index: 0, embedding: 'AACAPw==' }], usage: { prompt_tokens: 1, total_tokens: 1 } }),
    ),
    ...withUnpaid,
  },
  {
    id: 'queue-video',
    family: 'media',
    method: 'POST',
    path: /^\/api\/v1\/video\/queue$/,
    answer: paid(() => json({ model: 'video-1', queue_id: 'queue-1' })),
    ...withUnpaid,
  },
  {
    id: 'retrieve-video',
    family: 'media',
    method: 'POST',
    path: /^\/api\/v1\/video\/retrieve$/,
    answer: () => ({
      status: 200,
      headers: { 'content-type': 'video/mp4', 'x-request-id': 'req-1' },
      bytes: Buffer.from('\0\0\0 ftypmp42 some video'),
    }),
    lies: ownLie('processing', fc.record({ average: amount, elapsed: amount })),
    falsify: (_answer, { value }) =>
      json({
        status: 'PROCESSING',
        average_execution_time: (value as { average: unknown }).average,
        execution_duration: (value as { elapsed: unknown }).elapsed,
      }),
  },
  {
    id: 'complete-video',
    family: 'media',
    method: 'POST',
    path: /^\/api\/v1\/video\/complete$/,
    answer: () => json({ success: true }),
  },
];

/** Accepts a payment, or returns the payment requirements. */
function toppedUp({ request, query, scenario }: Asked): Answer {
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
function solanaAnswer({ request }: Asked): Answer {
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

function falsifiedTopUp(
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

function falsifiedAttestation(
  answer: Answer,
  { name, value }: { name: string; value: unknown },
  { chats, query }: Asked,
): Answer {
  if (name === 'own-key')
    return {
      ...answer,
      json: {
        ...(answer.json as object),
        signing_address: `0x${'12'.repeat(20)}`,
        signing_public_key: `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`,
      },
    };
  return {
    ...answer,
    json: {
      ...(answer.json as object),
      ...chats.enclave.attest(
        query.get('model') ?? '',
        Buffer.from(query.get('nonce') ?? '', 'hex'),
        Date.now(),
        value as 'wrong-key',
      ),
    },
  };
}
