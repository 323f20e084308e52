/**
 * @not next: openai.test.ts and private-chat.test.ts test chats and streams through Next.
 * @at postgres: database functions reserve, charge and release chats of keys and wallets.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { recoverMessageAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drawImage } from '@/lib/sandbox/images/draw-image';
import { evmWallet } from '../payments/paying-wallets';
import { at } from './harness/at';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** spec, "POST /chat/completions", "GET /models", "GET /tee/…", with the official client and the sandbox's models. */

const messages = [{ role: 'user' as const, content: 'How do I top up with USDC?' }];

let gateway: GatewayUnderTest;
let caller: Caller;
let client: OpenAI;
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
  caller = await gateway.operator.createCaller({ usd: '1' });
  client = new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: caller.key, maxRetries: 0 });
}, 120_000);
afterAll(() => gateway?.stop());

const asCaller = () => ({ authorization: `Bearer ${caller.key}` });
const chat = (body: object, headers: Record<string, string> = asCaller()) =>
  gateway.ask({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const get = (path: string, headers: Record<string, string> = asCaller()) =>
  gateway.ask({ method: 'GET', path: `/api/v1/${path}`, headers });

at('fast').describe('models', () => {
  test('are listed without a key, each with what it can do', async () => {
    const { json } = await get('models', {});
    const { data } = json as {
      data: {
        id: string;
        model_spec: { availableContextTokens: number; encryption?: string; capabilities: Record<string, boolean> };
      }[];
    };
    expect(data.map(({ id }) => id)).toEqual([
      'chutes-e2ee-guide',
      'chutes-guide',
      'e2ee-guide',
      'guide',
      'near-cloud-guide',
      'near-direct-guide',
      'near-ed25519-guide',
      'phala-cloud-guide',
      'tee-guide',
      'tinfoil-guide',
    ]);
    expect(data.find(({ id }) => id === 'e2ee-guide')?.model_spec.capabilities).toEqual({
      supportsE2EE: true,
      supportsTeeAttestation: true,
      supportsResponseSchema: true,
      supportsFunctionCalling: true,
      supportsVision: false,
      supportsWebSearch: false,
    });
    expect(data.filter(({ model_spec: spec }) => spec.capabilities['supportsVision']).map(({ id }) => id)).toEqual([
      'chutes-e2ee-guide',
      'guide',
      'tee-guide',
      'tinfoil-guide',
    ]);
    // A client that takes the first of these models and encrypts as specified must get an answer.
    expect(
      data
        .filter(({ model_spec: spec }) => spec.capabilities['supportsE2EE'])
        .map(({ id, model_spec: spec }) => [id, spec.encryption]),
    ).toEqual([
      ['e2ee-guide', 'ecdsa'],
      ['near-cloud-guide', 'ecdsa'],
    ]);
    expect(
      data
        .filter(({ model_spec: spec }) => spec.encryption !== undefined && !spec.capabilities['supportsE2EE'])
        .map(({ id, model_spec: spec }) => [id, spec.encryption]),
    ).toEqual([
      ['chutes-e2ee-guide', 'ml-kem-768'],
      ['near-ed25519-guide', 'ed25519'],
      ['tinfoil-guide', 'ehbp'],
    ]);
    expect(data.every(({ model_spec: spec }) => spec.availableContextTokens > 0)).toBe(true);
  });

  test('an unknown type is 400, and a bad key 401', async () => {
    expect((await get('models?type=smells', {})).status).toBe(400);
    expect((await get('models', { authorization: 'Bearer nonsense' })).status).toBe(401);
  });
});

describe('a chat', () => {
  test.each(['guide', 'tee-guide'])('with %s is answered, and charged by its tokens', async (model) => {
    const before = await gateway.operator.balances();
    const { usage, choices } = await client.chat.completions.create({ model, messages });
    expect(choices[0]?.message.content).toContain('top-up');
    const after = await gateway.operator.balances();
    const spent = Number(before.get(caller.accountId)?.usd) - Number(after.get(caller.accountId)?.usd);
    expect(spent).toBeCloseTo(((usage?.prompt_tokens ?? 0) * 0.15 + (usage?.completion_tokens ?? 0) * 0.6) / 1e6, 8);
  });

  test.each(['guide', 'tee-guide'])('with %s has a picture described, and charged by its pixels', async (model) => {
    const picture = await drawImage({ prompt: 'x', negativePrompt: '', seed: 3, width: 280, height: 140 });
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${picture.toString('base64')}` } },
    ];
    const before = await gateway.operator.balances();
    const { usage, choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
    expect(choices[0]?.message.content).toMatch(/PNG, 280 × 140 pixels.*Main colours: \w+ `#/s);
    expect(usage?.prompt_tokens).toBe(3 + 50);
    const after = await gateway.operator.balances();
    const spent = Number(before.get(caller.accountId)?.usd) - Number(after.get(caller.accountId)?.usd);
    expect(spent).toBeCloseTo((53 * 0.15 + (usage?.completion_tokens ?? 0) * 0.6) / 1e6, 8);
  });

  at('fast').test('with invalid picture data is refused with 400, and free', async () => {
    const charges = gateway.books.count();
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
    for (const model of ['guide', 'tee-guide'])
      expect(await chat({ model, messages: [{ role: 'user', content }] })).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining('PNG, JPEG or WebP') as string },
      });
    expect(gateway.books.count()).toBe(charges);
  });

  test('is streamed, with the same words, and ends with [DONE]', async () => {
    const whole = await client.chat.completions.create({ model: 'guide', messages });
    let text = '';
    for await (const part of await client.chat.completions.create({ model: 'guide', messages, stream: true }))
      text += part.choices[0]?.delta.content ?? '';
    expect(text.replace(/\s+/g, ' ')).toBe(whole.choices[0]?.message.content?.replace(/\s+/g, ' '));
    const response = await fetch(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { ...asCaller(), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'guide', messages, stream: true }),
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
  });

  at('fast').test('is held to a schema', async () => {
    const schema = z.object({ title: z.string(), count: z.number().int().nullable() });
    const completion = await client.chat.completions.parse({
      model: 'guide',
      messages,
      response_format: zodResponseFormat(schema, 'thing'),
    });
    expect(schema.parse(completion.choices[0]?.message.parsed)).toBeDefined();
  });

  at('fast').test('whose schema is not strict is 400 by path, before anything is spent', async () => {
    const charges = gateway.books.count();
    const { status, json } = await chat({
      model: 'guide',
      messages,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', strict: true, schema: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      details: {
        response_format: {
          json_schema: {
            schema: {
              additionalProperties: { _errors: [expect.any(String)] },
              required: { _errors: [expect.any(String)] },
            },
          },
        },
      },
    });
    expect(gateway.books.count()).toBe(charges);
  });

  at('fast').test('with a model that there is not is 404, without a credential 402, with a bad one 401', async () => {
    expect(await chat({ model: 'none', messages })).toMatchObject({ status: 404, json: { code: 'MODEL_NOT_FOUND' } });
    expect(await chat({ model: 'guide', messages }, {})).toMatchObject({ status: 402, json: { x402Version: 2 } });
    expect((await chat({ model: 'guide', messages }, { authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  test('of a wallet is paid from what it prepaid, and is 402 of shape B where it has nothing', async () => {
    const wallet = await evmWallet(`${gateway.url}/api/sandbox`);
    const headers = { 'sign-in-with-x': await wallet.signIn(gateway.url) };
    expect(await chat({ model: 'guide', messages }, headers)).toMatchObject({
      status: 402,
      json: { reason: 'insufficient_balance', siwxChallenge: expect.any(Object) },
    });
    await gateway.operator.prepay(wallet.address, '1');
    const answer = await chat({ model: 'guide', messages }, headers);
    expect(answer.status, answer.text).toBe(200);
    expect(Number(answer.headers['x-balance-remaining'])).toBeLessThan(1);
  });
});

describe('an upstream that is not there', () => {
  test('is 503, and nothing is charged', async () => {
    const upstream = createServer((request, response) => {
      if (request.url?.endsWith('/models'))
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ object: 'list', data: [{ id: 'gone', object: 'model' }] }));
      else request.socket.destroy();
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
    const live = await startGateway({
      profile: 'live',
      config: { inference: { chatUpstreams: [{ name: 'test', url }] } },
    });
    try {
      const { key } = await live.operator.createCaller({ usd: '1' });
      const ask = (stream: boolean) =>
        live.ask({
          method: 'POST',
          path: '/api/v1/chat/completions',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gone', messages, stream }),
        });
      for (const stream of [false, true]) expect((await ask(stream)).status).toBe(503);
      expect(live.books.count()).toBe(0);
    } finally {
      await live.stop();
      upstream.close();
    }
  });
});

at('fast').describe('private inference', () => {
  test('an attestation names the nonce and the key, and says that it is simulated', async () => {
    const nonce = randomBytes(32).toString('hex');
    const { json } = await get(`tee/attestation?model=e2ee-guide&nonce=${nonce}`);
    expect(json).toMatchObject({
      verified: true,
      simulated: true,
      nonce,
      model: 'e2ee-guide',
      tee_provider: 'turnpike-simulator',
      signing_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    });
  });

  test('the signature of an answer is over its bytes, by the attested address', async () => {
    const body = JSON.stringify({ model: 'tee-guide', messages });
    const response = await fetch(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { ...asCaller(), 'content-type': 'application/json' },
      body,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { id } = JSON.parse(bytes.toString()) as { id: string };
    const { json } = await get(`tee/signature?model=tee-guide&request_id=${id}`);
    const {
      text,
      signature,
      signing_address: address,
    } = json as { text: string; signature: `0x${string}`; signing_address: string };
    const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
    expect(text.endsWith(`${sha256(body)}:${sha256(bytes)}`)).toBe(true);
    expect((await recoverMessageAddress({ message: text, signature })).toLowerCase()).toBe(address.toLowerCase());
  });

  test.each<[string, object, RegExp]>([
    ['not streamed', { stream: false }, /E2EE requires streaming/],
    ['in plain text', { stream: true }, /Encrypted field is not valid hex/],
  ])('an encrypted chat %s is 400', async (_what, change, message) => {
    const key = `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`;
    const headers = {
      ...asCaller(),
      'x-service-tee-client-pub-key': key,
      'x-service-tee-model-pub-key': key,
      'x-service-tee-signing-algo': 'ecdsa',
    };
    const { status, json } = await chat({ model: 'e2ee-guide', messages, ...change }, headers);
    expect([status, (json as { error: string }).error]).toEqual([400, expect.stringMatching(message)]);
  });

  test('an answer that nobody knows has no signature', async () => {
    expect((await get('tee/signature?model=tee-guide&request_id=chatcmpl-none')).status).toBe(404);
  });

  test.each(['near-direct-guide', 'phala-cloud-guide', 'tinfoil-guide', 'chutes-guide', 'chutes-e2ee-guide'])(
    'an answer of %s is not signed, which is said with what vouches for it instead',
    async (model) => {
      const { id } = await client.chat.completions.create({ model, messages });
      const { status, json } = await get(`tee/signature?model=${model}&request_id=${id}`);
      expect([status, (json as { code: string }).code]).toEqual([404, 'ANSWERS_NOT_SIGNED']);
      expect((json as { error: string }).error).toMatch(/^Answers of this model are not signed: /);
    },
  );
});
