import fc from 'fast-check';
import { type Asked, type Endpoint, json } from './endpoint';
import { CHARGE, CHARGE_SUMS, CHATTER, KEY, MODELS } from './honest-values';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { hostileValue, TRAP } from './hostile-values';
import { ownLie, streamLie } from './lies';
import { falseToken, mintToken, termsClaim, TOKEN_FORMS } from './mint-tokens';
import {
  amount,
  falsifiedTopUp,
  paid,
  solanaAnswer,
  termLie,
  toppedUp,
  unpaidLie,
  withUnpaid,
} from './payment-answers';
import type { Answer } from './scenario';

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
      // Parses a complete answer, which is JSON, so that lies can change its members.
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
