/**
 * @at next: unpaid bodies, payments and receipts pass Next's own server. What a payment buys is decided behind the
 *   adapter.
 * @at postgres: database functions record payments for calls and keep their answers.
 */
import { createHash, randomBytes } from 'node:crypto';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attestationPolicy, PrivateChatSession } from '@/lib/client/private-chat';
import { evmWallet, solanaWallet } from '../payments/paying-wallets';
import { at } from './harness/at';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';

/** Every paid endpoint, paid per call by the official clients on both rails; and refusals. */

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const CHAT = '/api/v1/chat/completions';
const SPEECH = '/api/v1/audio/speech';
const EMBEDDINGS = '/api/v1/embeddings';
const IMAGES = '/api/v1/images/generations';
const IMAGE = '/api/v1/image/generate';

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
}, 120_000);
afterAll(() => gateway?.stop());

type Wallet = Awaited<ReturnType<typeof evmWallet>>;
interface Asked {
  accepts: { network: string; amount: string; extra: Record<string, unknown> }[];
  resource: { url: string };
}

const newWallet = () => evmWallet(`${gateway.url}/api/sandbox`);
const evmClient = ({ account }: Wallet) =>
  x402Client.fromConfig({
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
    spendControls: false,
  });
const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, post(body, headers));
const rpc = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' });
const chat = (content: string, more: object = {}) => ({
  model: 'guide',
  max_tokens: 64,
  messages: [{ role: 'user', content }],
  ...more,
});

/** Returns a header that pays the amount in this request's 402, or another amount. */
async function payFor(wallet: Wallet, path: string, body: unknown, amount?: string): Promise<string> {
  const asked = await send(path, body);
  const client = new x402HTTPClient(evmClient(wallet));
  const required = client.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
  if (amount !== undefined) required.accepts = required.accepts.map((each) => ({ ...each, amount }));
  return String(client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))['PAYMENT-SIGNATURE']);
}

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
/** Returns the wallet's balance in nano-USD, as shown to its sign-in. */
async function balanceOf(wallet: Wallet): Promise<number> {
  const { json } = await gateway.ask({
    method: 'GET',
    path: `/api/v1/x402/balance/${wallet.address}`,
    headers: { 'sign-in-with-x': await wallet.signIn(gateway.url) },
  });
  return Math.round((json as { data: { balanceUsd: number } }).data.balanceUsd * 1e9);
}

at('fast').describe('a stranger is asked for the most that a call can cost', () => {
  const cases: [string, string, unknown, RegExp][] = [
    ['a call, the least', RPC, rpc(1), /^10000$/],
    [
      'a batch',
      RPC,
      Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'trace_block', params: ['latest'] })),
      /^5600$|^10000$/,
    ],
    ['a chat of many tokens', CHAT, chat('Hello', { max_tokens: 8_000, n: 1 }), /^\d{5}$/],
    ['speech', SPEECH, { input: 'One.' }, /^10000$/],
    ['embeddings', EMBEDDINGS, { model: 'stand-in-embedding', input: ['One.', 'Two.'] }, /^10000$/],
    ['a picture', IMAGES, { model: 'stand-in-image', prompt: 'A road' }, /^40000$/],
    [
      'two small pictures',
      IMAGE,
      { model: 'stand-in-image', prompt: 'A road', width: 512, height: 512, variants: 2 },
      /^20000$/,
    ],
    ['a video', '/api/v1/video/queue', { model: 'stand-in', prompt: 'A road', duration: '5s' }, /^\d{5,}$/],
  ];
  test.each(cases)('for %s', async (_name, path, body, amount) => {
    const response = await send(path, body);
    const { accepts, resource } = (await response.json()) as Asked;
    expect(response.status).toBe(402);
    expect(accepts.map((each) => each.network)).toEqual(['eip155:8453', SOLANA, 'eip155:31337']);
    for (const each of accepts) {
      expect(each.amount).toMatch(amount);
      // If absent, a failed call takes nothing (x402 2.27).
      expect(each.extra['paymentFlow']).toBe('upfront');
    }
    expect(resource.url).toBe(`${gateway.url}${path}`);
  });

  test('and for the least where a body is missing, broken, too long or of another type', async () => {
    for (const body of ['', '{', '[]', `[${'1,'.repeat(40_000)}1]`]) {
      const response = await send(RPC, body);
      expect([response.status, ((await response.json()) as Asked).accepts[0]?.amount]).toEqual([402, '10000']);
    }
    const plain = await fetch(`${gateway.url}${CHAT}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect([plain.status, ((await plain.json()) as Asked).accepts[0]?.amount]).toEqual([402, '10000']);
  });

  test('while a top-up, whose money is all that is bought, has no flow', async () => {
    const { accepts } = (await (await send('/api/v1/x402/top-up', {})).json()) as Asked;
    expect(accepts.map(({ extra }) => 'paymentFlow' in extra)).toEqual([false, false, false]);
  });

  test('in the form of v1 too', async () => {
    for (const path of [RPC, CHAT, SPEECH]) {
      const asked = (await (await send(`${path}?x402Version=1`, {})).json()) as {
        x402Version: number;
        accepts: unknown[];
      };
      expect(asked).toMatchObject({
        x402Version: 1,
        accepts: [
          {
            network: 'base',
            maxAmountRequired: '10000',
            resource: `${gateway.url}${path}`,
            extra: { paymentFlow: 'upfront' },
          },
          { network: 'solana' },
        ],
      });
      expect(asked.accepts).toHaveLength(2);
    }
  });
});

describe('every endpoint takes its payment with the call', () => {
  const rails = {
    Base: async () => wrapFetchWithPayment(fetch, evmClient(await newWallet())),
    Solana: async () => {
      const { signer } = await solanaWallet(`${gateway.url}/api/sandbox`);
      const scheme = new ExactSvmScheme(signer, { rpcUrl: `${gateway.url}/api/sandbox/rpc/solana-mainnet` });
      return wrapFetchWithPayment(
        fetch,
        x402Client.fromConfig({ schemes: [{ network: SOLANA, client: scheme }], spendControls: false }),
      );
    },
  };

  test.each(Object.entries(rails))(
    'by @x402/fetch on %s: a call, a batch, a chat, speech, embeddings, a video',
    async (_rail, open) => {
      const pay = await open();
      const ask = async (path: string, body: unknown) => {
        const response = await pay(`${gateway.url}${path}`, post(body));
        if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        expect(JSON.parse(atob(response.headers.get('payment-response') ?? ''))).toMatchObject({ success: true });
        expect(response.headers.get('x-balance-remaining')).toMatch(/^\d+\.\d{6}$/);
        return response;
      };
      expect(await (await ask(RPC, rpc(7))).json()).toEqual({ jsonrpc: '2.0', id: 7, result: '0x1' });
      expect(await (await ask(RPC, [rpc(1), rpc(2)])).json()).toHaveLength(2);
      expect(await (await ask(CHAT, chat('What is a stake?'))).json()).toMatchObject({
        choices: [{ message: { role: 'assistant' } }],
      });
      expect(
        (await (await ask(SPEECH, { input: 'One.', response_format: 'wav' })).arrayBuffer()).byteLength,
      ).toBeGreaterThan(1_000);
      expect(
        await (await ask(EMBEDDINGS, { model: 'stand-in-embedding', input: ['One.', 'Two.'] })).json(),
      ).toMatchObject({
        data: [{ index: 0 }, { index: 1 }],
      });
      const [model] = (
        (await (await fetch(`${gateway.url}/api/v1/models?type=video`)).json()) as { data: { id: string }[] }
      ).data;
      expect(await (await ask('/api/v1/video/queue', { model: model?.id, prompt: 'A road' })).json()).toMatchObject({
        queue_id: expect.any(String),
      });
    },
  );

  at('fast', 'postgres').test(
    'but not for what is known to be refused: nothing is taken for a network without an upstream',
    async () => {
      const wallet = await newWallet();
      const [path, body] = [
        '/api/v1/crypto/rpc/starknet-mainnet',
        { jsonrpc: '2.0', id: 1, method: 'starknet_chainId' },
      ];
      const header = await payFor(wallet, path, body);
      const refused = await send(path, body, { 'payment-signature': header });
      expect([refused.headers.get('payment-response'), ...(await codeOf(refused))]).toEqual([
        null,
        500,
        'UPSTREAM_NOT_CONFIGURED',
      ]);
      expect(await balanceOf(wallet)).toBe(0);
    },
  );

  test('the official OpenAI SDK streams over a fetch that pays, without a key', async () => {
    const pay = wrapFetchWithPayment(fetch, evmClient(await newWallet()));
    const client = new OpenAI({
      baseURL: `${gateway.url}/api/v1`,
      apiKey: 'none',
      defaultHeaders: { Authorization: null },
      fetch: pay,
      maxRetries: 0,
    });
    const stream = await client.chat.completions.create({
      model: 'guide',
      max_tokens: 64,
      stream: true,
      messages: [{ role: 'user', content: 'What is a stake?' }],
    });
    let text = '';
    for await (const event of stream) text += event.choices[0]?.delta.content ?? '';
    expect(text.length).toBeGreaterThan(20);
  });

  at('fast').test('an encrypted chat is paid beside the sign-in that its attestation needs', async () => {
    const wallet = await newWallet();
    const connection = {
      baseUrl: gateway.url,
      signIn: await wallet.signIn(gateway.url),
      fetch: wrapFetchWithPayment(fetch, evmClient(wallet)),
    };
    const session = new PrivateChatSession({
      connection,
      model: 'e2ee-guide',
      encrypted: true,
      policy: attestationPolicy({ simulatedRoot: sandbox.enclave?.root ?? '' }),
      accepted: ['simulated'],
    });
    const { answer, signature } = await session.ask([{ role: 'user', content: 'How does staking work?' }]);
    expect([answer.text.length > 20, signature.outcome]).toEqual([true, 'verified']);
  });

  const AGAIN = '%s that is asked for again with its payment gets the same bytes, charged once';
  const isKept = async (_name: string, path: string, body: object) => {
    const wallet = await newWallet();
    const header = { 'payment-signature': await payFor(wallet, path, body) };
    const bytes = async () => {
      const response = await send(path, body, header);
      const content = Buffer.from(await response.arrayBuffer());
      expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
        200,
        type ?? response.headers.get('content-type')?.split(';')[0],
      ]);
      type = response.headers.get('content-type')?.split(';')[0];
      return {
        hash: createHash('sha256').update(content).digest('hex'),
        replayed: response.headers.get('idempotent-replayed'),
      };
    };
    let type: string | undefined;
    const first = await bytes();
    const balance = await balanceOf(wallet);
    expect([first.replayed, await bytes()]).toEqual([null, { hash: first.hash, replayed: 'true' }]);
    expect(await balanceOf(wallet)).toBe(balance);
  };
  test.each<[string, string, object]>([
    ['a stream', CHAT, chat('Say it again', { stream: true })],
    ['streamed speech', SPEECH, { input: 'One. Two.', streaming: true, response_format: 'mp3' }],
    ['a batch', RPC, [rpc(1), rpc(2)]],
  ])(AGAIN, isKept);
  // Other entries pass and keep any bytes in the same way.
  at('fast').test.each<[string, string, object]>([
    ['a chat', CHAT, chat('Say it again')],
    [
      'Messages',
      '/api/v1/messages',
      { model: 'guide', max_tokens: 64, messages: [{ role: 'user', content: 'Say it again' }] },
    ],
    [
      'a stream of Messages',
      '/api/v1/messages',
      { model: 'guide', max_tokens: 64, messages: [{ role: 'user', content: 'Say it again' }], stream: true },
    ],
    ['Responses', '/api/v1/responses', { model: 'guide', max_output_tokens: 64, input: 'Say it again' }],
    [
      'a stream of Responses',
      '/api/v1/responses',
      { model: 'guide', max_output_tokens: 64, input: 'Say it again', stream: true },
    ],
    ['speech', SPEECH, { input: 'One. Two.', response_format: 'wav' }],
    ['embeddings', EMBEDDINGS, { model: 'stand-in-embedding', input: 'One.', encoding_format: 'base64' }],
    ['pictures', IMAGES, { model: 'stand-in-image', prompt: 'A road', size: '512x512', n: 2 }],
    [
      'a picture as it is',
      IMAGE,
      { model: 'stand-in-image', prompt: 'A road', width: 512, height: 512, return_binary: true },
    ],
  ])(AGAIN, isKept);
});

at('fast', 'postgres').describe('nothing is taken', () => {
  test('of a payment that does not cover the call: 402 says what does', async () => {
    const wallet = await newWallet();
    const long = chat('Hello', { max_tokens: 60_000 });
    const header = await payFor(wallet, CHAT, long, '10000');
    const refused = await send(CHAT, long, { 'payment-signature': header });
    const body = (await refused.json()) as Asked & { code: string; reason: string };
    expect([refused.status, body.code, body.reason]).toEqual([402, 'PAYMENT_REQUIRED', 'payment_too_small']);
    expect(Number(body.accepts[0]?.amount)).toBeGreaterThan(10_000);
    expect(await balanceOf(wallet)).toBe(0);
  });

  test('for a request that is wrong: it says so, and the payment can be used for the right one', async () => {
    const wallet = await newWallet();
    const header = { 'payment-signature': await payFor(wallet, RPC, rpc(1)) };
    expect((await send(RPC, { jsonrpc: '2.0', id: 1, method: 'eth_nothing' }, header)).status).toBe(400);
    expect(await balanceOf(wallet)).toBe(0);
    expect((await send(RPC, rpc(1), header)).status).toBe(200);
  });

  test('of a header that is no payment for this gateway', async () => {
    const wallet = await newWallet();
    const good = JSON.parse(atob(await payFor(wallet, RPC, rpc(1)))) as {
      accepted: Record<string, string>;
      payload: { signature: string; authorization: Record<string, string> };
    };
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const { authorization } = good.payload;
    const headers: Record<string, string> = {
      'is no base64': '{"x402Version":2}',
      'is no JSON': Buffer.from('hello').toString('base64'),
      'is of another network': encode({ ...good, accepted: { ...good.accepted, network: 'eip155:1' } }),
      'is of another asset': encode({ ...good, accepted: { ...good.accepted, asset: `0x${'11'.repeat(20)}` } }),
      'is for another receiver': encode({ ...good, accepted: { ...good.accepted, payTo: `0x${'11'.repeat(20)}` } }),
      'moves money to another receiver': encode({
        ...good,
        payload: { ...good.payload, authorization: { ...authorization, to: `0x${'11'.repeat(20)}` } },
      }),
      'has expired': encode({
        ...good,
        payload: { ...good.payload, authorization: { ...authorization, validBefore: '1700000000' } },
      }),
      'has another amount than was signed': encode({
        ...good,
        payload: { ...good.payload, authorization: { ...authorization, value: '90000' } },
      }),
      'has a signature of noise': encode({
        ...good,
        payload: { ...good.payload, signature: `0x${randomBytes(65).toString('hex')}` },
      }),
      'is signed for another chain': encode({ ...good, accepted: { ...good.accepted, network: 'eip155:31337' } }),
    };
    for (const [name, header] of Object.entries(headers)) {
      const answer = await send(RPC, rpc(1), { 'payment-signature': header });
      expect([name, ...(await codeOf(answer))]).toEqual([name, 400, 'X402_INVALID_PAYMENT']);
    }
    const huge = await send(RPC, rpc(1), { 'payment-signature': 'A'.repeat(1_000_000) }).then(
      ({ status }) => status,
      () => 431,
    );
    expect([400, 431]).toContain(huge);
    expect(await balanceOf(wallet)).toBe(0);
  });

  test('of a wallet that has nothing', async () => {
    const { privateKeyToAccount, generatePrivateKey } = await import('viem/accounts');
    const account = privateKeyToAccount(generatePrivateKey());
    const header = await payFor({ account } as Wallet, RPC, rpc(1));
    expect(await codeOf(await send(RPC, rpc(1), { 'payment-signature': header }))).toEqual([
      400,
      'X402_INVALID_PAYMENT',
    ]);
  });

  test('beside a key, which pays', async () => {
    const wallet = await newWallet();
    const { key } = await gateway.operator.createCaller({ usd: '1' });
    const header = await payFor(wallet, RPC, rpc(1));
    expect((await send(RPC, rpc(1), { 'payment-signature': header, authorization: `Bearer ${key}` })).status).toBe(200);
    expect(await balanceOf(wallet)).toBe(0);
  });
});

at('fast', 'postgres').describe('a payment is a credential once', () => {
  test('replayed across resources, methods or bodies it is 402, and charged nothing', async () => {
    const wallet = await newWallet();
    const header = { 'payment-signature': await payFor(wallet, RPC, rpc(1)) };
    expect((await send(RPC, rpc(1), header)).status).toBe(200);
    const balance = await balanceOf(wallet);
    for (const [path, body] of [
      [RPC, rpc(2)],
      ['/api/v1/crypto/rpc/base-mainnet', rpc(1)],
      [CHAT, chat('Hello', { max_tokens: 1 })],
      [SPEECH, { input: 'One.' }],
    ] as const) {
      expect(await codeOf(await send(path, body, header))).toEqual([402, 'X402_PAYMENT_USED']);
    }
    expect(await balanceOf(wallet)).toBe(balance);
  });

  test('a top-up pays for no call by itself', async () => {
    const wallet = await newWallet();
    const asked = await fetch(`${gateway.url}/api/v1/x402/top-up`, { method: 'POST' });
    const client = new x402HTTPClient(evmClient(wallet));
    const required = client.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
    const header = {
      'payment-signature': String(
        client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))['PAYMENT-SIGNATURE'],
      ),
    };
    expect((await fetch(`${gateway.url}/api/v1/x402/top-up`, { method: 'POST', headers: header })).status).toBe(200);
    expect(await codeOf(await send(RPC, rpc(1), header))).toEqual([402, 'X402_PAYMENT_USED']);
  });

  test('thirty at once under one payment are one call, and the money is credited once', async () => {
    const wallet = await newWallet();
    const header = { 'payment-signature': await payFor(wallet, RPC, rpc(1)) };
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => (await send(RPC, rpc(1), header)).status),
    );
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(await balanceOf(wallet)).toBe(10_000_000 - 20 * 700);
  });

  test('fifteen payments of one wallet at once are fifteen calls', async () => {
    const wallet = await newWallet();
    const headers = await Promise.all(Array.from({ length: 15 }, (_, id) => payFor(wallet, RPC, rpc(id))));
    const answers = await Promise.all(
      headers.map(async (header, id) => (await send(RPC, rpc(id), { 'payment-signature': header })).status),
    );
    expect(answers).toEqual(Array(15).fill(200));
    expect(await balanceOf(wallet)).toBe(15 * (10_000_000 - 20 * 700));
  });
});
