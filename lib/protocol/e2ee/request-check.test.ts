import { readFileSync } from 'node:fs';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { encryptContent, generateE2eeKeyPair } from './codec';
import { E2EE_HEADERS, isE2eeRequest, withCallersHeaderNames } from './headers';
import { parseAttestationNonce } from './nonce';
import { type E2eeRefusal, type E2eeRequest, refuseE2eeRequest } from './request-check';

const model = generateE2eeKeyPair();
const client = bytesToHex(generateE2eeKeyPair().publicKey);
const secret = encryptContent('secret', model.publicKey);
const headers: Record<string, string> = {
  [E2EE_HEADERS.clientPublicKey]: client,
  [E2EE_HEADERS.modelPublicKey]: bytesToHex(model.publicKey),
  [E2EE_HEADERS.signingAlgorithm]: 'ecdsa',
};
const body = {
  model: 'e2ee-guide',
  stream: true,
  messages: [
    { role: 'system', content: secret },
    { role: 'user', content: secret },
  ],
};

interface Change {
  headers?: Record<string, string | undefined>;
  body?: unknown;
  encryption?: E2eeRequest['encryption'];
}
function refuse(change: Change = {}): E2eeRefusal | null {
  const all: Record<string, string | undefined> = { ...headers, ...change.headers };
  return refuseE2eeRequest({
    header: (name) => all[name],
    body: change.body ?? body,
    encryption: change.encryption === undefined ? 'ecdsa' : change.encryption,
  });
}

describe('an encrypted request', () => {
  it('is known by any one of its headers, even an empty one', () => {
    for (const name of Object.values(E2EE_HEADERS))
      expect(isE2eeRequest((asked) => (asked === name ? '' : null))).toBe(true);
    expect(isE2eeRequest(() => undefined)).toBe(false);
  });

  it('passes with its three headers, a stream and encrypted messages', () => {
    expect(refuse()).toBeNull();
    expect(refuse({ headers: { [E2EE_HEADERS.modelPublicKey]: bytesToHex(model.publicKey).slice(2) } })).toBeNull();
    expect(
      refuse({ body: { ...body, tools: [], tool_choice: 'none', web_search: 'off', parallel_tool_calls: false } }),
    ).toBeNull();
  });

  it('is refused with more messages than keys can be checked of without holding others up', () => {
    const many = (length: number) => ({
      ...body,
      messages: Array.from({ length }, () => ({ role: 'user', content: secret })),
    });
    expect(refuse({ body: many(1_000) })).toBeNull();
    expect(refuse({ body: many(1_001) })).toEqual({
      code: 'E2EE_MESSAGES',
      message:
        'An end-to-end encrypted request has at most 1,000 messages. Put the earlier conversation into one message.',
    });
  });

  it('passes with messages of other roles as they are', () => {
    const messages = [...body.messages, { role: 'assistant', content: 'in plain' }, { role: 'tool', content: null }];
    expect(refuse({ body: { ...body, messages } })).toBeNull();
  });

  it.each(['X-Service-TEE-Client-Pub-Key', 'X-Service-TEE-Model-Pub-Key', 'X-Service-TEE-Signing-Algo'])(
    'is refused without %s, by the name that the specification has',
    (name) => {
      for (const value of [undefined, '']) {
        const message = `An end-to-end encrypted request needs all three headers: ${name} is missing.`;
        expect(refuse({ headers: { [name.toLowerCase()]: value } })).toEqual({ code: 'E2EE_HEADERS', message });
      }
    },
  );

  it('is told of every header in the spelling of the specification', () => {
    expect(refuse({ headers: { [E2EE_HEADERS.signingAlgorithm]: 'rsa' } })?.message).toBe(
      'X-Service-TEE-Signing-Algo must be ecdsa.',
    );
    expect(refuse({ headers: { [E2EE_HEADERS.clientPublicKey]: 'ab' } })?.message).toMatch(
      /^Invalid public key.* \(X-Service-TEE-Client-Pub-Key\)\.$/,
    );
    expect(refuse({ headers: { [E2EE_HEADERS.modelPublicKey]: 'ab' } })?.message).toMatch(
      / \(X-Service-TEE-Model-Pub-Key\)\.$/,
    );
  });

  it('is not told the names that its headers have beyond the gateway', () => {
    expect(withCallersHeaderNames('X-Model-Pub-Key is not the key; x-client-pub-key, X-Signing-Algo.')).toBe(
      'X-Service-TEE-Model-Pub-Key is not the key; X-Service-TEE-Client-Pub-Key, X-Service-TEE-Signing-Algo.',
    );
    expect(withCallersHeaderNames('My-X-Model-Pub-Key-2')).toBe('My-X-Model-Pub-Key-2');
  });

  it('is refused with another algorithm', () => {
    for (const algorithm of ['ed25519', 'ECDSA', 'ecdsa '])
      expect(refuse({ headers: { [E2EE_HEADERS.signingAlgorithm]: algorithm } })?.code).toBe('E2EE_HEADERS');
  });

  it.each([client.slice(2), `06${client.slice(2)}`, `04${'00'.repeat(64)}`, `${client}00`, 'key'])(
    'is refused with the client key %s',
    (key) => {
      expect(refuse({ headers: { [E2EE_HEADERS.clientPublicKey]: key } })).toMatchObject({
        code: 'E2EE_PUBLIC_KEY',
        message: expect.stringMatching(/^Invalid public key/),
      });
    },
  );

  it('is refused with a model key that is no point', () => {
    expect(refuse({ headers: { [E2EE_HEADERS.modelPublicKey]: 'ab'.repeat(64) } })?.message).toMatch(
      /^Invalid public key/,
    );
  });

  it('is refused for a model that cannot decrypt', () => {
    expect(refuse({ encryption: null })).toEqual({
      code: 'E2EE_MODEL',
      message: 'This model does not accept end-to-end encrypted requests (supportsE2EE).',
    });
  });

  it.each([
    ['ed25519', 'ed25519', 'With keys of ed25519'],
    ['ehbp', 'as a whole with EHBP', 'Bodies that are encrypted as a whole'],
    ['ml-kem-768', 'as a whole with ML-KEM-768', 'Bodies for one of several instances'],
  ] as const)(
    'is refused for a model that is encrypted to by %s, which the sentence names with the place that tells how',
    (encryption, scheme, heading) => {
      const refusal = refuse({ encryption });
      expect(refusal).toMatchObject({
        code: 'E2EE_MODEL',
        message: expect.stringContaining(`model_spec.encryption: ${encryption}`),
      });
      expect(refusal?.message).toContain(scheme);
      expect(refusal?.message).toContain(`See "${heading}" in docs/private-inference.md`);
      expect(readFileSync('docs/private-inference.md', 'utf8')).toMatch(new RegExp(`^#+ ${heading}$`, 'm'));
    },
  );

  it.each([
    [['clientPublicKey'], 'X-Service-TEE-Client-Pub-Key is missing.'],
    [
      ['clientPublicKey', 'signingAlgorithm'],
      'X-Service-TEE-Client-Pub-Key and X-Service-TEE-Signing-Algo are missing.',
    ],
    [
      ['clientPublicKey', 'modelPublicKey', 'signingAlgorithm'],
      'X-Service-TEE-Client-Pub-Key, X-Service-TEE-Model-Pub-Key and X-Service-TEE-Signing-Algo are missing.',
    ],
  ] as const)('is told which of its headers are missing: %j', (missing, sentence) => {
    const without = Object.fromEntries(missing.map((name) => [E2EE_HEADERS[name], undefined]));
    expect(refuse({ headers: without })).toEqual({
      code: 'E2EE_HEADERS',
      message: `An end-to-end encrypted request needs all three headers: ${sentence}`,
    });
  });

  it.each([undefined, false, null, 'true', 1])('is refused with stream %j', (stream) => {
    expect(refuse({ body: { ...body, stream } })).toMatchObject({
      code: 'E2EE_STREAMING',
      message: expect.stringContaining('E2EE requires streaming'),
    });
  });

  it('is refused with web search among the parameters of a service, by its path, and not with an explicit no', () => {
    expect(refuse({ body: { ...body, service_parameters: { enable_web_search: 'on' } } })).toEqual({
      code: 'E2EE_FEATURE',
      message:
        'Web search is disabled in end-to-end encrypted requests: leave out "service_parameters.enable_web_search".',
    });
    for (const parameters of [{ enable_web_search: 'off' }, { enable_web_search: false }, { other: 1 }, null, 'x'])
      expect(refuse({ body: { ...body, service_parameters: parameters } })).toBeNull();
  });

  it.each([
    { tools: [{ type: 'function' }] },
    { tool_choice: 'auto' },
    { functions: [{}] },
    { parallel_tool_calls: true },
    { web_search: 'on' },
    { web_search_options: {} },
    { files: ['a'] },
    { attachments: [{}] },
  ])('is refused with %j', (extra) => {
    expect(refuse({ body: { ...body, ...extra } })).toMatchObject({
      code: 'E2EE_FEATURE',
      message: expect.stringContaining(Object.keys(extra)[0] as string),
    });
  });

  it.each([
    ['plaintext', 'Hello'],
    ['nothing', ''],
    ['short hex', 'ab'.repeat(92)],
    ['half a byte', `${secret}0`],
    ['ciphertext after a space', ` ${secret}`],
    ['long hex that is no ciphertext', 'ab'.repeat(200)],
    ['content parts', [{ type: 'text', text: secret }]],
    ['null', null],
    ['no content', undefined],
  ])('is refused where a message of user or system holds %s', (_, content) => {
    for (const role of ['user', 'system', 'User', ' system']) {
      const messages = [...body.messages, { role, content }];
      expect(refuse({ body: { ...body, messages } })).toMatchObject({
        code: 'E2EE_NOT_ENCRYPTED',
        message: expect.stringMatching(/^Encrypted field is not valid hex: messages\[2\]\.content/),
      });
    }
  });

  it.each([
    null,
    [],
    'x',
    1,
    { stream: true },
    { stream: true, messages: {} },
    { stream: true, messages: [null] },
    { stream: true, messages: [{ content: secret }] },
  ])('is refused with the body %j', (bad) => {
    expect(refuseE2eeRequest({ header: (name) => headers[name], body: bad, encryption: 'ecdsa' })?.code).toBe(
      'E2EE_MESSAGES',
    );
  });
});

describe('the nonce of an attestation', () => {
  it('is 32 bytes in hex, and nothing else', () => {
    expect(parseAttestationNonce('Ab'.repeat(32))).toEqual(new Uint8Array(32).fill(0xab));
    for (const bad of [
      '',
      'ab'.repeat(31),
      'ab'.repeat(33),
      `${'ab'.repeat(31)}zz`,
      `0x${'ab'.repeat(31)}`,
      ` ${'ab'.repeat(32)}`,
    ]) {
      expect(() => parseAttestationNonce(bad)).toThrow('Nonce must be exactly 32 bytes');
    }
  });
});

describe('a request to a model with keys of ed25519', () => {
  const sealed = 'ab'.repeat(80);
  const good = {
    'x-service-tee-client-pub-key': '11'.repeat(32),
    'x-service-tee-model-pub-key': '22'.repeat(32),
    'x-service-tee-signing-algo': 'ed25519',
    'x-encryption-version': '2',
  };
  const check = (headers: Record<string, string | undefined>, content = sealed) =>
    refuseE2eeRequest({
      header: (name) => ({ ...good, ...headers })[name],
      body: { model: 'm', stream: true, messages: [{ role: 'user', content }] },
      encryption: 'ed25519',
    })?.code ?? null;

  it('is taken with its own algorithm, version, keys and contents', () => expect(check({})).toBeNull());

  it.each<[string, Record<string, string | undefined>, string]>([
    ['no version', { 'x-encryption-version': undefined }, 'E2EE_HEADERS'],
    ['version 1', { 'x-encryption-version': '1' }, 'E2EE_HEADERS'],
    ['the algorithm of the specification', { 'x-service-tee-signing-algo': 'ecdsa' }, 'E2EE_HEADERS'],
    ['no client key', { 'x-service-tee-client-pub-key': undefined }, 'E2EE_HEADERS'],
    ['a key of secp256k1', { 'x-service-tee-model-pub-key': `04${'ab'.repeat(64)}` }, 'E2EE_PUBLIC_KEY'],
    ['a key that is no hex', { 'x-service-tee-client-pub-key': 'zz'.repeat(32) }, 'E2EE_PUBLIC_KEY'],
  ])('is refused with %s', (_what, headers, code) => expect(check(headers)).toBe(code));

  it.each(['How does staking work?', '', 'ab'.repeat(71), `${'ab'.repeat(80)}0`])(
    'is refused with content that is not encrypted: %j',
    (content) => expect(check({}, content)).toBe('E2EE_NOT_ENCRYPTED'),
  );

  it('is refused where the model has keys of secp256k1', () => {
    expect(
      refuseE2eeRequest({
        header: (name) => (good as Record<string, string>)[name],
        body: { stream: true, messages: [] },
        encryption: 'ecdsa',
      })?.code,
    ).toBe('E2EE_HEADERS');
  });
});
