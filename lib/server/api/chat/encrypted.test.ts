import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { encryptContent, generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { ENCRYPTION_HEADERS } from '@/lib/protocol/e2ee/encryption-headers';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, scriptedModel, streams } from '@/test/scripted-model';

const MODEL_KEY = generateE2eeKeyPair().publicKey;
const OWN_KEY = generateE2eeKeyPair().publicKey;
const SECRET = encryptContent('a secret', MODEL_KEY);
const HEADERS = {
  'X-Service-TEE-Client-Pub-Key': bytesToHex(OWN_KEY),
  'X-Service-TEE-Model-Pub-Key': bytesToHex(MODEL_KEY),
  'X-Service-TEE-Signing-Algo': 'ecdsa',
};
const ASK = { model: 'e2ee', stream: true, messages: [{ role: 'user', content: SECRET }] };

async function enclave() {
  const reply = chunk(encryptContent('x'.repeat(400), OWN_KEY)) + DONE;
  const model = await scriptedModel(streams(reply), [
    { id: 'e2ee' },
    { id: 'tee', model_spec: { capabilities: { supportsE2EE: false } } },
  ]);
  return { model, reply, ...(await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] })) };
}

describe('an encrypted chat', () => {
  it('is relayed byte for byte, its headers under the names of enclaves, and charged by what was in the ciphertext', async () => {
    const { model, reply, ask, charges } = await enclave();
    const body = JSON.stringify(ASK, null, 1);
    const { status, text } = await ask(body, { headers: HEADERS });
    expect([status, text]).toEqual([200, reply]);
    expect(model.asked[0]?.body).toBe(body);
    expect(model.asked[0]?.headers).toMatchObject({
      'x-client-pub-key': bytesToHex(OWN_KEY),
      'x-model-pub-key': bytesToHex(MODEL_KEY),
      'x-signing-algo': 'ecdsa',
    });
    expect((await charges())[0]?.detail).toBe('2 + 100 tokens');
  });

  it.each([
    ['not streamed', { ...ASK, stream: false }, HEADERS, 'E2EE_STREAMING', 'E2EE requires streaming'],
    [
      'with plain text',
      { ...ASK, messages: [...ASK.messages, { role: 'user', content: 'in the clear' }] },
      HEADERS,
      'E2EE_NOT_ENCRYPTED',
      'Encrypted field is not valid hex',
    ],
    [
      'with content in parts',
      { ...ASK, messages: [{ role: 'user', content: [{ type: 'text', text: 'in the clear' }] }] },
      HEADERS,
      'E2EE_NOT_ENCRYPTED',
      'Encrypted field is not valid hex',
    ],
    [
      'with a bad key',
      ASK,
      { ...HEADERS, 'X-Service-TEE-Client-Pub-Key': `06${'00'.repeat(64)}` },
      'E2EE_PUBLIC_KEY',
      'Invalid public key',
    ],
    ['with one header', ASK, { 'X-Service-TEE-Signing-Algo': 'ecdsa' }, 'E2EE_HEADERS', 'missing'],
    ['with tools', { ...ASK, tools: [{ type: 'function' }] }, HEADERS, 'E2EE_FEATURE', 'Function calling is disabled'],
    ['to another model', { ...ASK, model: 'tee' }, HEADERS, 'E2EE_MODEL', 'does not accept'],
  ])('%s is refused, and nobody hears of it', async (_what, body, headers, code, sentence) => {
    const { model, ask, charges } = await enclave();
    const { status, json } = await ask(body, { headers: headers as Record<string, string> });
    expect([status, json.code]).toEqual([400, code]);
    expect(json.error).toContain(sentence);
    expect(model.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it('that the enclave refuses is told so with the names that its own headers have', async () => {
    const model = await scriptedModel(
      (_asked, response) =>
        void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"X-Model-Pub-Key is not the key of this enclave: attest it again."}}'),
      [{ id: 'e2ee' }],
    );
    const { ask } = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] });
    const { status, json } = await ask(ASK, { headers: HEADERS });
    expect([status, json.error]).toEqual([
      400,
      'X-Service-TEE-Model-Pub-Key is not the key of this enclave: attest it again.',
    ]);
  });
});

describe('X-Encrypt-All-Fields', () => {
  it.each([
    ['X-Encrypt-All-Fields', 'true'],
    ['x-service-tee-encrypt-all-fields', ' 1 '],
  ])('reaches the enclave under its own name, given as %s: %s', async (name, value) => {
    const { model, ask } = await enclave();
    expect(
      (await ask({ ...ASK, logprobs: true, top_logprobs: 2 }, { headers: { ...HEADERS, [name]: value } })).status,
    ).toBe(200);
    expect(model.asked[0]?.headers['x-encrypt-all-fields']).toBe('true');
  });

  it.each([
    ['nothing', {}],
    ['an explicit no', { 'X-Encrypt-All-Fields': 'false' }],
  ])('is needed for logprobs, which are refused with %s', async (_what, more) => {
    const { model, ask, charges } = await enclave();
    for (const field of [{ logprobs: true }, { logprobs: false, top_logprobs: 3 }]) {
      const { status, json } = await ask({ ...ASK, ...field }, { headers: { ...HEADERS, ...more } });
      expect([status, json.code]).toEqual([400, 'E2EE_FEATURE']);
      expect(json.error).toContain('X-Encrypt-All-Fields: true');
    }
    expect([model.asked, await charges()]).toEqual([[], []]);
    expect((await ask({ ...ASK, logprobs: false, top_logprobs: 0 }, { headers: { ...HEADERS, ...more } })).status).toBe(
      200,
    );
    expect(model.asked[0]?.headers['x-encrypt-all-fields']).toBeUndefined();
  });

  it.each([
    { prompt_logprobs: 0 },
    { return_hidden_states: true },
    { promptLogprobs: 1 },
    { return_meta_info: true },
    { own_parameters: { return_logprob: true } },
  ])('does not help with %j, which no enclave encrypts', async (field) => {
    const { model, ask } = await enclave();
    const { status, json } = await ask(
      { ...ASK, ...field },
      { headers: { ...HEADERS, 'X-Encrypt-All-Fields': 'true' } },
    );
    expect([status, json.code]).toEqual([400, 'E2EE_FEATURE']);
    expect(model.asked).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['neither yes nor no', { 'X-Encrypt-All-Fields': 'all' }],
    ['one under each of its names', { 'X-Encrypt-All-Fields': 'true', 'X-Service-TEE-Encrypt-All-Fields': 'false' }],
  ])('is refused with %s', async (_what, more) => {
    const { ask } = await enclave();
    expect((await ask(ASK, { headers: { ...HEADERS, ...more } })).json.code).toBe('E2EE_HEADERS');
  });

  it('is named among the headers of a model whose messages are encrypted', async () => {
    const { get } = await enclave();
    const { data } = (await get('/models')).json as unknown as {
      data: { id: string; model_spec: { encryption?: string; encryptionHeaders?: string[] } }[];
    };
    const specs = Object.fromEntries(
      data.map(({ id, model_spec: { encryption, encryptionHeaders } }) => [
        id,
        [encryption, encryptionHeaders?.includes('X-Encrypt-All-Fields')],
      ]),
    );
    expect(specs).toEqual({ e2ee: ['ecdsa', true], tee: [undefined, undefined] });
  });
});

describe('a header of an encryption that is not the request’s', () => {
  const PLAIN = { model: 'tee', messages: [{ role: 'user', content: 'in the clear' }] };
  const NAMES = [
    ...ENCRYPTION_HEADERS.flatMap(({ names }) => names),
    'X-Service-TEE-Client-Public-Key',
    'X-E2E-Anything',
    'Ehbp-Client-Public-Key',
  ];

  it.each(NAMES)('is refused beside a plain chat: %s', async (name) => {
    const { model, ask, charges } = await enclave();
    const { status, json } = await ask(PLAIN, { headers: { [name]: 'true' } });
    expect([status, json.code]).toEqual([400, expect.stringMatching(/^(?:E2EE|EHBP)_/)]);
    expect([model.asked, await charges()]).toEqual([[], []]);
  });

  it.each(['responses', 'messages', 'messages/count_tokens'])('is refused at /%s', async (path) => {
    const { origin, key } = await enclave();
    const response = await fetch(`${origin}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'X-Encryption-Version': '2' },
      body: JSON.stringify({ ...PLAIN, input: 'in the clear', max_tokens: 16 }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'E2EE_HEADERS' }]);
  });

  it.each([
    'X-Service-TEE-Model',
    'X-E2E-Stream',
    'X-Chute-Id',
    'X-E2E-Nonce',
    'X-Encrypt-Tool-Calls',
    'Ehbp-Response-Nonce',
    'X-Service-TEE-Foo',
  ])('is refused beside encrypted messages: %s', async (name) => {
    const { model, ask } = await enclave();
    const { status, json } = await ask(ASK, { headers: { ...HEADERS, [name]: 'true' } });
    expect([status, json.code]).toEqual([400, 'E2EE_HEADERS']);
    expect(json.error?.toLowerCase()).toContain(name.toLowerCase());
    expect(model.asked).toEqual([]);
  });
});
