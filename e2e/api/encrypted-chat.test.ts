/**
 * @not next: the endpoint decides refusals. private-chat.test.ts has encrypted chats through Next.
 * @not postgres: these refusals come before any access to the database. chat.test.ts has charges on Postgres.
 */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { startSandboxGateway } from './harness/sandbox-gateway';

/**
 * spec, "E2EE calls" and those messages of "Private inference" that a server returns, over HTTP with the sandbox's
 * enclave. Refusals here charge nothing.
 */

const NONCE = 'ab'.repeat(32);

let gateway: GatewayUnderTest;
let caller: Caller;
let modelKey: string;
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
  caller = await gateway.operator.createCaller({ usd: '1' });
  modelKey = String(
    ((await get(`tee/attestation?model=e2ee-guide&nonce=${NONCE}`)).json as { signing_key: string }).signing_key,
  );
}, 120_000);
afterAll(() => gateway?.stop());

const authorization = () => ({ authorization: `Bearer ${caller.key}` });
const get = (path: string) => gateway.ask({ method: 'GET', path: `/api/v1/${path}`, headers: authorization() });

const ecdh = createECDH('secp256k1');
const clientKey = ecdh.generateKeys('hex');

/** Steps (a) to (f) of the specification on node:crypto. */
function encrypt(text: string, key = modelKey): string {
  const ephemeral = createECDH('secp256k1');
  const own = ephemeral.generateKeys();
  const shared = ephemeral.computeSecret(Buffer.from(key.length === 128 ? `04${key}` : key, 'hex'));
  const aes = Buffer.from(hkdfSync('sha256', shared, '', 'ecdsa_encryption', 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', aes, nonce);
  return Buffer.concat([own, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('hex');
}

interface Change {
  body?: object;
  headers?: Record<string, string | undefined>;
  content?: unknown;
}

async function chat({ body, headers, content = encrypt('How do I top up?') }: Change = {}) {
  const all = {
    ...authorization(),
    'content-type': 'application/json',
    'x-service-tee-client-pub-key': clientKey,
    'x-service-tee-model-pub-key': modelKey,
    'x-service-tee-signing-algo': 'ecdsa',
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  return fetch(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: sent,
    body: JSON.stringify({ model: 'e2ee-guide', stream: true, messages: [{ role: 'user', content }], ...body }),
  });
}

/** Expects 400 with this sentence and no charge. */
async function expectRefused(change: Change, sentence: string): Promise<void> {
  const before = gateway.books.count();
  const response = await chat(change);
  const text = await response.text();
  expect(response.status, text).toBe(400);
  expect((JSON.parse(text) as { error: string }).error).toContain(sentence);
  expect(gateway.books.count()).toBe(before);
}

test('a sound one is answered in ciphertext, and charged', async () => {
  const before = gateway.books.count();
  const response = await chat();
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const contents = [...text.matchAll(/"content":"([^"]+)"/g)].map(([, content]) => content as string);
  expect(contents.length).toBeGreaterThan(1);
  for (const content of contents) expect(content).toMatch(/^04[0-9a-f]{184,}$/);
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(gateway.books.count()).toBe(before + 1);
});

describe('E2EE requires streaming', () => {
  test.each([false, null, undefined])('with stream %s', (stream) =>
    expectRefused({ body: { stream } }, 'E2EE requires streaming'),
  );
});

describe('Encrypted field is not valid hex', () => {
  test.each<[string, unknown]>([
    ['plain text', 'How do I top up?'],
    ['nothing', ''],
    ['null', null],
    ['parts', [{ type: 'text', text: 'How do I top up?' }]],
    ['a file', [{ type: 'file', file: { file_data: 'AAAA' } }]],
    ['long hex that starts with no key', 'ab'.repeat(200)],
    ['a key off the curve', `04${'11'.repeat(64)}${'00'.repeat(60)}`],
    ['a key of zeros', `04${'00'.repeat(64)}${'00'.repeat(60)}`],
    [
      'a hybrid key',
      `06${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}${'00'.repeat(60)}`,
    ],
  ])('for %s', (_what, content) => expectRefused({ content }, 'Encrypted field is not valid hex'));

  test.each(['user', 'system'])('for plain text of the %s among encrypted messages', (role) =>
    expectRefused(
      {
        body: {
          messages: [
            { role: 'user', content: encrypt('a') },
            { role: 'assistant', content: 'b' },
            { role, content: 'in the clear' },
            { role: 'user', content: encrypt('c') },
          ],
        },
      },
      'Encrypted field is not valid hex: messages[2].content',
    ),
  );
});

test(
  'ciphertext cut at every length is refused: by the gateway where it cannot be any, else by the enclave',
  { timeout: 120_000 },
  async () => {
    const whole = encrypt('Hi');
    const sentences = new Set<string>();
    const before = gateway.books.count();
    for (let length = 0; length < whole.length; length++) {
      const response = await chat({ content: whole.slice(0, length) });
      const { error } = (await response.json()) as { error: string };
      expect(response.status, error).toBe(400);
      expect(error).toContain(
        length < 186 || length % 2 === 1 ? 'Encrypted field is not valid hex' : 'Failed to decrypt field',
      );
      sentences.add(error);
    }
    expect(sentences.size).toBeGreaterThan(1);
    expect(gateway.books.count()).toBe(before);
  },
);

describe('Failed to decrypt field', () => {
  const flipped = (content: string, at: number) =>
    content.slice(0, at) + (content[at] === '0' ? '1' : '0') + content.slice(at + 1);

  test.each([
    ['in its nonce', 135],
    ['in its text', 160],
    ['in its tag', -1],
  ])('with a bit flipped %s', async (_where, at) => {
    const content = encrypt('How do I top up?');
    await expectRefused({ content: flipped(content, at < 0 ? content.length - 1 : at) }, 'Failed to decrypt field');
  });

  test('encrypted to another key', async () => {
    const other = createECDH('secp256k1').generateKeys('hex');
    await expectRefused({ content: encrypt('How do I top up?', other) }, 'Failed to decrypt field');
  });
});

describe('Invalid public key', () => {
  const point =
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
  const keys: [string, string][] = [
    ['without 04', point],
    ['that is hybrid, 06', `06${point}`],
    ['that is compressed', `02${point.slice(0, 64)}`],
    ['of zeros', `04${'00'.repeat(64)}`],
    ['off the curve', `04${point.slice(0, -1)}9`],
    ['beyond the field', `04${'ff'.repeat(64)}`],
    ['that is too long', `04${point}00`],
    ['that is no hex', `04${point.slice(0, -1)}g`],
    ['that is a word', 'key'],
  ];
  test.each(keys)('for a client key %s', (_what, key) =>
    expectRefused({ headers: { 'x-service-tee-client-pub-key': key } }, 'Invalid public key'),
  );
  test.each(keys.slice(1))('for a model key %s', (_what, key) =>
    expectRefused({ headers: { 'x-service-tee-model-pub-key': key } }, 'Invalid public key'),
  );
  test('and a model key without 04 is taken', async () => {
    const response = await chat({ headers: { 'x-service-tee-model-pub-key': modelKey.slice(-128) } });
    expect(response.status).toBe(200);
    // Reads to the end, because the chat is charged at its end.
    await response.text();
  });
});

describe('Nonce must be exactly 32 bytes', () => {
  test.each(['', 'ab', 'ab'.repeat(31), 'ab'.repeat(33), `${'ab'.repeat(31)}zz`, 'a'.repeat(63)])(
    'for %j',
    async (nonce) => {
      const { status, json } = await get(`tee/attestation?model=e2ee-guide&nonce=${nonce}`);
      expect([status, (json as { error: string }).error]).toEqual([
        400,
        expect.stringContaining('Nonce must be exactly 32 bytes'),
      ]);
    },
  );
});

describe('what is disabled', () => {
  test.each<[string, object, string]>([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'Function calling'],
    ['a choice of tools', { tool_choice: 'auto' }, 'Function calling'],
    ['parallel calls', { parallel_tool_calls: true }, 'Function calling'],
    ['web search', { web_search: 'on' }, 'Web search'],
    ['options of web search', { web_search_options: {} }, 'Web search'],
    ['files', { files: [{ id: 'x' }] }, 'File upload'],
  ])('is refused: %s', (_what, body, sentence) => expectRefused({ body }, sentence));

  test.each(['x-service-tee-client-pub-key', 'x-service-tee-model-pub-key', 'x-service-tee-signing-algo'])(
    'a request without %s is told so',
    (name) => expectRefused({ headers: { [name]: undefined } }, 'all three headers'),
  );
  test('another algorithm is refused', () =>
    expectRefused({ headers: { 'x-service-tee-signing-algo': 'ed25519' } }, 'must be ecdsa'));
  test.each(['guide', 'tee-guide'])('the model %s takes no encrypted requests', (model) =>
    expectRefused({ body: { model } }, 'does not accept end-to-end encrypted requests'),
  );
  test.each([
    ['near-ed25519-guide', 'model_spec.encryption: ed25519'],
    ['tinfoil-guide', 'model_spec.encryption: ehbp'],
    ['chutes-e2ee-guide', 'model_spec.encryption: ml-kem-768'],
  ])('the model %s is encrypted to in another way, which is named', (model, sentence) =>
    expectRefused({ body: { model } }, sentence),
  );
});

test('plain text to a model that takes ciphertext is an ordinary chat', async () => {
  const response = await chat({
    content: 'How do I top up?',
    headers: {
      'x-service-tee-client-pub-key': undefined,
      'x-service-tee-model-pub-key': undefined,
      'x-service-tee-signing-algo': undefined,
    },
  });
  expect(response.status).toBe(200);
  await response.text();
});
