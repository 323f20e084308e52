import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bytesToHex } from '@noble/hashes/utils.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { decryptContent, encryptContent, generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { nodeDecrypt, nodeEncrypt } from '@/lib/protocol/e2ee/testing/node-codec';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { ExchangeHash, recoverSigner, responseSignatureFault } from '@/lib/protocol/tee/response-signature';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { SimulatedEnclave } from '../enclave/enclave';
import { generateEnclaveKeys } from '../enclave/enclave-keys';
import { Guide } from '../guide/guide';
import { InferenceServer } from './inference-server';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const guide = new Guide([
  {
    document: 'docs/staking.md',
    heading: 'Staking',
    text: 'Stake TPK to be given a daily allocation. Unstaking takes seven days.',
  },
]);
const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
const inEnclave = new InferenceServer({ guide, enclave, eventDelayMs: 0 });
const outside = new InferenceServer({ guide, enclave: null, eventDelayMs: 0 });
const question = 'How does staking work?';
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, name, path = ''] = /^\/(enclave|guide)\/v1([^?]*)/.exec(request.url ?? '') ?? [];
    (name === 'enclave' ? inEnclave : outside).handle(request, response, path).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const chat = (body: object, headers: Record<string, string> = {}, where = 'enclave') =>
  fetch(`${origin}/${where}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
interface Chunk {
  id: string;
  choices: {
    delta: { content?: string; tool_calls?: { function: { name: string; arguments: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: { total_tokens: number } | null;
}
function chunksOf(text: string): Chunk[] {
  const events = text.trimEnd().split('\n\n');
  expect(events.at(-1)).toBe('data: [DONE]');
  return events.slice(0, -1).map((event) => JSON.parse(event.replace('data: ', '')) as Chunk);
}
const contents = (chunks: Chunk[]) =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter((content) => content !== '');
const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: { message: string; code: string } }).error,
});

describe('the models', () => {
  it('are listed by where they run', async () => {
    const ids = async (where: string) =>
      ((await (await fetch(`${origin}/${where}/v1/models`)).json()) as { data: { id: string }[] }).data.map(
        ({ id }) => id,
      );
    expect([await ids('guide'), await ids('enclave')]).toEqual([
      ['guide'],
      ['tee-guide', 'e2ee-guide', 'near-cloud-guide', 'near-direct-guide', 'chutes-guide', 'phala-cloud-guide'],
    ]);
  });

  it('refuse what is longer than they read, as servers of real ones do', async () => {
    const long = { model: 'guide', messages: [{ role: 'user', content: 'How does staking work? '.repeat(10_000) }] };
    for (const body of [long, { ...long, stream: true }]) {
      expect(await errorOf(await chat(body, {}, 'guide'))).toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        message: expect.stringMatching(/accepts at most 32768 tokens, but the messages have \d+/) as string,
      });
    }
  });

  it('answer whole and streamed with the same words, and say what they are', async () => {
    const body = { model: 'guide', messages: [{ role: 'user', content: question }] };
    const whole = (await (await chat(body, {}, 'guide')).json()) as {
      choices: { message: { content: string }; finish_reason: string }[];
      usage: { total_tokens: number };
    };
    const text = whole.choices[0]?.message.content ?? '';
    expect(text).toContain('retrieval stand-in');
    expect(text).toContain('daily allocation');
    const response = await chat({ ...body, stream: true, stream_options: { include_usage: true } }, {}, 'guide');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const chunks = chunksOf(await response.text());
    expect(contents(chunks).join('')).toBe(text);
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(whole.usage.total_tokens);
  });

  it('keep to a limit of tokens and say so', async () => {
    const { choices } = (await (
      await chat({ model: 'guide', messages: [{ role: 'user', content: question }], max_tokens: 3 }, {}, 'guide')
    ).json()) as { choices: { message: { content: string }; finish_reason: string }[] };
    expect(choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: '**docs/staking.md: Staking**\n\n>' },
    });
  });

  it('call the tool that must be called, with arguments of its schema, and report what it answered', async () => {
    const tools = [
      {
        type: 'function',
        function: {
          name: 'get_stake',
          parameters: {
            type: 'object',
            properties: { address: { type: 'string' }, blocks: { type: 'integer', minimum: 2 } },
            required: ['address', 'blocks'],
            additionalProperties: false,
          },
        },
      },
    ];
    const body = { model: 'guide', messages: [{ role: 'user', content: question }], tools };
    const called = (await (await chat({ ...body, tool_choice: 'required' }, {}, 'guide')).json()) as {
      choices: {
        message: { tool_calls: { function: { name: string; arguments: string } }[] };
        finish_reason: string;
      }[];
    };
    expect(called.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'get_stake' } }] },
    });
    expect(JSON.parse(called.choices[0]?.message.tool_calls[0]?.function.arguments ?? '')).toMatchObject({ blocks: 2 });
    const after = (await (
      await chat(
        {
          ...body,
          messages: [...body.messages, { role: 'assistant', content: null }, { role: 'tool', content: '7 TPK' }],
        },
        {},
        'guide',
      )
    ).json()) as { choices: { message: { content: string } }[] };
    expect(after.choices[0]?.message.content).toContain('7 TPK');
  });
});

describe('the simulated enclave over HTTP', () => {
  const nonce = 'ab'.repeat(32);
  const attest = async (query = `model=e2ee-guide&nonce=${nonce}&signing_algo=ecdsa`) =>
    fetch(`${origin}/enclave/v1/attestation/report?${query}`);
  const verify = (report: unknown) =>
    verifyAttestation({
      report,
      expected: { nonce, model: 'e2ee-guide', needsPublicKey: true },
      policy: { ...DEFAULT_POLICY, roots: [configuredRoot(enclave.root, true)] },
      nowMs: Date.now(),
    });

  it('attests its key for a nonce', async () => {
    expect(await verify(await (await attest()).json())).toMatchObject({
      conclusion: 'simulated',
      key: { address: enclave.address },
    });
  });

  it('falsifies its attestations where it was told to', async () => {
    try {
      inEnclave.tampering = 'debug';
      expect(await verify(await (await attest()).json())).toMatchObject({
        conclusion: 'failed',
        reason: 'TDX debug mode detected',
      });
    } finally {
      inEnclave.tampering = undefined;
    }
  });

  it('refuses another model, nonce or algorithm', async () => {
    expect(await errorOf(await attest(`model=guide&nonce=${nonce}`))).toMatchObject({
      status: 404,
      code: 'MODEL_NOT_FOUND',
    });
    expect(await errorOf(await attest('model=tee-guide&nonce=abcd'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('Nonce must be exactly 32 bytes'),
    });
    expect(await errorOf(await attest(`model=tee-guide&nonce=${nonce}&signing_algo=ed25519`))).toMatchObject({
      status: 400,
    });
  });

  it.each([false, true])('signs the bytes of an exchange, stream: %s', async (stream) => {
    const body = JSON.stringify({ model: 'tee-guide', messages: [{ role: 'user', content: question }], stream });
    const response = await fetch(`${origin}/enclave/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    const { id } = stream ? (chunksOf(text)[0] as Chunk) : (JSON.parse(text) as Chunk);
    const signed = (await (
      await fetch(`${origin}/enclave/v1/signature/${id}?model=tee-guide&signing_algo=ecdsa`)
    ).json()) as { text: string; signature: string; signing_address: string };
    const exchange = {
      model: 'tee-guide',
      requestHash: new ExchangeHash().update(Buffer.from(body)).hex(),
      responseHash: new ExchangeHash().update(Buffer.from(text)).hex(),
      address: enclave.address,
    };
    expect(
      await errorOf(await fetch(`${origin}/enclave/v1/signature/${id}?model=e2ee-guide&signing_algo=ecdsa`)),
    ).toMatchObject({ status: 404, code: 'COMPLETION_NOT_FOUND' });
    expect(signed.signing_address).toBe(enclave.address);
    expect(responseSignatureFault(signed, exchange)).toBeNull();
    expect(
      responseSignatureFault(signed, {
        ...exchange,
        responseHash: new ExchangeHash().update(Buffer.from(text.slice(0, -1))).hex(),
      }),
    ).not.toBeNull();
  });

  it('knows no signature of a completion that it did not make', async () => {
    expect(await errorOf(await fetch(`${origin}/enclave/v1/signature/chatcmpl-none`))).toMatchObject({ status: 404 });
  });
});

describe('an encrypted conversation', () => {
  const client = generateE2eeKeyPair();
  const headers = {
    'x-signing-algo': 'ecdsa',
    'x-client-pub-key': bytesToHex(client.publicKey),
    'x-model-pub-key': bytesToHex(enclave.publicKey),
  };
  const body = (content: unknown = encryptContent(question, enclave.publicKey)) => ({
    model: 'e2ee-guide',
    stream: true,
    messages: [{ role: 'user', content }],
  });

  it('is held in both directions, and nothing of it is readable', async () => {
    const text = await (await chat(body(), headers)).text();
    const sealed = contents(chunksOf(text));
    for (const content of sealed) expect(content).toMatch(/^04[0-9a-f]{184,}$/);
    expect(sealed.map((content) => decryptContent(content, client.secretKey)).join('')).toContain('daily allocation');
    expect(text).not.toMatch(/allocation|stand-in|Staking/);
  });

  it('tells tokens in the clear unless all fields are encrypted, as NEAR AI has it', async () => {
    const asked = { ...body(), logprobs: true, max_tokens: 8 };
    const tokensOf = (text: string) =>
      chunksOf(text).flatMap(
        (chunk) =>
          (chunk.choices[0] as { logprobs?: { content: { token: string; bytes: unknown }[] } | null } | undefined)
            ?.logprobs?.content ?? [],
      );
    for (const more of [{}, { 'x-encrypt-all-fields': 'false' }] as Record<string, string>[])
      expect(
        tokensOf(await (await chat(asked, { ...headers, ...more })).text())
          .map(({ token }) => token)
          .join(''),
      ).toMatch(/ /);
    const sealed = tokensOf(await (await chat(asked, { ...headers, 'x-encrypt-all-fields': 'true' })).text());
    for (const { token, bytes } of sealed)
      expect(JSON.parse(decryptContent(String(bytes), client.secretKey))).toEqual([
        ...Buffer.from(decryptContent(token, client.secretKey)),
      ]);
    expect(sealed).toHaveLength(8);
  });

  it('is held by a client written on node:crypto alone', async () => {
    const text = await (await chat(body(nodeEncrypt(question, bytesToHex(enclave.publicKey))), headers)).text();
    expect(
      contents(chunksOf(text))
        .map((content) => nodeDecrypt(content, bytesToHex(client.secretKey)))
        .join(''),
    ).toContain('daily allocation');
  });

  it.each([
    ['plaintext', body(question), {}, 'Encrypted field is not valid hex'],
    ['content that is no string', body([{ type: 'text', text: 'a' }]), {}, 'Encrypted field is not valid hex'],
    [
      'a flipped bit',
      body(encryptContent(question, enclave.publicKey).replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
      {},
      'Failed to decrypt field',
    ],
    ['content for another key', body(encryptContent(question, client.publicKey)), {}, 'Failed to decrypt field'],
    ['no stream', { ...body(), stream: false }, {}, 'E2EE requires streaming'],
    ['an invalid client key', body(), { 'x-client-pub-key': '04' }, 'Invalid public key'],
    ['the key of another enclave', body(), { 'x-model-pub-key': bytesToHex(client.publicKey) }, 'attest it again'],
    ['a model that takes none', { ...body(), model: 'tee-guide' }, {}, 'does not accept encrypted requests'],
  ])('is refused with %s', async (_, given, change, message) => {
    expect(await errorOf(await chat(given, { ...headers, ...change }))).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe('a new key of the enclave', () => {
  it('refuses what was encrypted to the old one, attests and signs anew', async () => {
    const rotated = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{}');
    const before = { address: rotated.address, signature: rotated.sign('text') };
    const content = encryptContent(question, rotated.publicKey);
    rotated.rotateKey();
    expect(() => decryptContent(content, rotated.secretKey)).toThrow('Failed to decrypt field');
    expect(rotated.address).not.toBe(before.address);
    expect([recoverSigner('text', before.signature), recoverSigner('text', rotated.sign('text'))]).toEqual([
      before.address,
      rotated.address,
    ]);
    const nonce = 'ab'.repeat(32);
    const report = rotated.attest('e2ee-guide', Buffer.from(nonce, 'hex'), Date.now());
    const policy = { ...DEFAULT_POLICY, roots: [configuredRoot(rotated.root, true)] };
    expect(
      await verifyAttestation({
        report,
        expected: { nonce, model: 'e2ee-guide', needsPublicKey: true },
        policy,
        nowMs: Date.now(),
      }),
    ).toMatchObject({ conclusion: 'simulated', key: { address: rotated.address } });
  });
});

describe('a chat request', () => {
  it.each([
    ['null'],
    ['[]'],
    ['{'],
    ['{}'],
    ['{"model": "guide"}'],
    ['{"model": "guide", "messages": []}'],
    ['{"model": "guide", "messages": [1]}'],
    ['{"model": "guide", "messages": [{"role": "user"}], "max_tokens": 0}'],
  ])('is refused as %s', async (text) => {
    const response = await fetch(`${origin}/guide/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    expect(await errorOf(response)).toMatchObject({ status: 400, message: expect.stringMatching(/\S/) });
  });
});
