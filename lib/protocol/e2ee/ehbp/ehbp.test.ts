import { bytesToHex, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { Identity } from 'ehbp';
import { describe, expect, it } from 'vitest';
import { EhbpError, type EhbpFault } from './format';
import { FrameReader, frameOf } from './frames';
import { generateHpkeKeyPair, keyConfigOf, openBody, readKeyConfig } from './recipient';
import { ResponseCipher, type ResponseSecrets } from './suite';
import { AnswerOpener, sealBody } from './sender';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const question = utf8ToBytes('{"messages":[{"role":"user","content":"Grüße 🦊"}]}');
const keyOf = (headers: Readonly<Record<string, string>>): string => headers['Ehbp-Encapsulated-Key'] ?? '';
const withNonce = (nonce: string | null) => (name: string) => (name === 'ehbp-response-nonce' ? nonce : null);
const X25519_SMALL_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
];

async function faultOf(run: () => unknown): Promise<EhbpFault> {
  try {
    await run();
  } catch (error) {
    if (error instanceof EhbpError) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Returns the answer of a server that has the secrets, with one frame per part. */
function answerOf(secrets: ResponseSecrets, parts: readonly string[]): { nonce: string; body: Uint8Array } {
  const nonce = randomBytes(32);
  const cipher = new ResponseCipher(secrets, nonce);
  return {
    nonce: bytesToHex(nonce),
    body: concatBytes(...parts.map((part) => frameOf(cipher.seal(utf8ToBytes(part))))),
  };
}

async function exchange(parts: readonly string[]) {
  const server = generateHpkeKeyPair();
  const sealed = await sealBody(question, server.publicKey);
  const opened = await openBody(sealed.body, keyOf(sealed.headers), server.secretKey);
  return { server, sealed, opened, answer: answerOf(opened.secrets, parts) };
}

describe('an encrypted body', () => {
  it('is read by the holder of the key, and its answer by the sender, however it is cut', async () => {
    const { sealed, opened, answer } = await exchange(['data: one\n\n', '', 'data: zwei 🦊\n\n']);
    expect(text(opened.body)).toBe(text(question));
    for (const size of [1, 3, 7, 1_000]) {
      const opener = new AnswerOpener(sealed.secrets, withNonce(answer.nonce));
      let read = '';
      for (let at = 0; at < answer.body.length; at += size)
        read += opener
          .push(answer.body.subarray(at, at + size))
          .map(text)
          .join('');
      opener.end();
      expect(read).toBe('data: one\n\ndata: zwei 🦊\n\n');
    }
  });

  it('speaks with the JavaScript client of the protocol’s authors, both ways', async () => {
    const server = generateHpkeKeyPair();
    const theirs = await Identity.fromPublicKeyHex(bytesToHex(server.publicKey));
    const { request, context } = await theirs.encryptRequestWithContext(
      new Request('http://server.example/', { method: 'POST', body: question as BodyInit }),
    );
    const opened = await openBody(
      new Uint8Array(await request.arrayBuffer()),
      request.headers.get('ehbp-encapsulated-key') ?? '',
      server.secretKey,
    );
    expect(text(opened.body)).toBe(text(question));
    const { nonce, body } = answerOf(opened.secrets, ['Hel', 'lo, ', '世界']);
    if (context === null) throw new Error('The client did not encrypt.');
    const answered = await theirs.decryptResponseWithContext(
      new Response(body as BodyInit, { headers: { 'ehbp-response-nonce': nonce } }),
      context,
    );
    expect(await answered.text()).toBe('Hello, 世界');
  });

  it('is bound to its encapsulated key, and every request has another', async () => {
    const { server, sealed } = await exchange([]);
    const other = await sealBody(question, server.publicKey);
    expect(keyOf(other.headers)).not.toBe(keyOf(sealed.headers));
    expect(await faultOf(() => openBody(sealed.body, keyOf(other.headers), server.secretKey))).toBe(
      'AEAD_DECRYPT_FAILED',
    );
    expect(await faultOf(() => openBody(sealed.body, keyOf(sealed.headers), generateHpkeKeyPair().secretKey))).toBe(
      'AEAD_DECRYPT_FAILED',
    );
  });

  it('is refused with any byte touched, cut or added', async () => {
    const { server, sealed } = await exchange([]);
    const open = (body: Uint8Array) => faultOf(() => openBody(body, keyOf(sealed.headers), server.secretKey));
    for (let at = 4; at < sealed.body.length; at++)
      expect(await open(sealed.body.map((byte, index) => (index === at ? byte ^ 1 : byte)))).toBe(
        'AEAD_DECRYPT_FAILED',
      );
    for (const length of [1, 3, 4, 5, sealed.body.length - 1])
      expect(await open(sealed.body.subarray(0, length))).toBe('FRAMING_TRUNCATED');
    expect(await open(concatBytes(sealed.body, Uint8Array.of(0, 0, 0)))).toBe('FRAMING_TRUNCATED');
    expect(await open(concatBytes(sealed.body, sealed.body))).toBe('AEAD_DECRYPT_FAILED');
  });

  it.each(['', 'ab', 'zz'.repeat(32), `0x${'ab'.repeat(31)}`, 'ab'.repeat(33)])(
    'is refused with the encapsulated key %j',
    async (key) => {
      expect(await faultOf(() => openBody(new Uint8Array(40), key, generateHpkeKeyPair().secretKey))).toBe(
        'INVALID_ENCAPSULATED_KEY',
      );
    },
  );

  it('is never made for, nor opened with, a key under which everybody has the same secret', async () => {
    for (const key of X25519_SMALL_ORDER) {
      expect(await faultOf(() => sealBody(question, hexToBytes(key)))).toBe('HPKE_SETUP_FAILED');
      expect(await faultOf(() => openBody(new Uint8Array(40), key, generateHpkeKeyPair().secretKey))).toBe(
        'HPKE_SETUP_FAILED',
      );
    }
  });

  it('is not made of nothing, nor for a key of another length', async () => {
    expect(await faultOf(() => sealBody(new Uint8Array(), generateHpkeKeyPair().publicKey))).toBe('INVALID_INPUT');
    for (const length of [0, 31, 33, 65])
      expect(await faultOf(() => sealBody(question, new Uint8Array(length).fill(9)))).toBe('INVALID_INPUT');
  });
});

describe('an encrypted answer', () => {
  const opened = (secrets: ResponseSecrets, nonce: string | null, body: Uint8Array) =>
    faultOf(() => {
      const opener = new AnswerOpener(secrets, withNonce(nonce));
      opener.push(body);
      opener.end();
    });

  it('without its nonce, or with another, is not read', async () => {
    const { sealed, answer } = await exchange(['one', 'two']);
    expect(await opened(sealed.secrets, null, answer.body)).toBe('MISSING_RESPONSE_NONCE');
    for (const nonce of ['', 'ab', `${answer.nonce}00`, answer.nonce.slice(2), 'zz'.repeat(32)])
      expect(await opened(sealed.secrets, nonce, answer.body)).toBe('INVALID_RESPONSE_NONCE');
    expect(await opened(sealed.secrets, '00'.repeat(32), answer.body)).toBe('AEAD_DECRYPT_FAILED');
  });

  it('to another request is not read: nobody can swap answers', async () => {
    const [one, other] = [await exchange(['one']), await exchange(['other'])];
    expect(await opened(one.sealed.secrets, other.answer.nonce, other.answer.body)).toBe('AEAD_DECRYPT_FAILED');
  });

  it('is refused with frames swapped, repeated, left out, cut or touched', async () => {
    const { sealed, answer } = await exchange(['one', 'two']);
    const [first, second] = [answer.body.subarray(0, 4 + 3 + 16), answer.body.subarray(4 + 3 + 16)];
    for (const body of [concatBytes(second, first), concatBytes(first, first), second])
      expect(await opened(sealed.secrets, answer.nonce, body)).toBe('AEAD_DECRYPT_FAILED');
    for (let length = 1; length < first.length; length++)
      expect(await opened(sealed.secrets, answer.nonce, first.subarray(0, length))).toBe('FRAMING_TRUNCATED');
    for (let at = 4; at < first.length; at++)
      expect(
        await opened(
          sealed.secrets,
          answer.nonce,
          first.map((byte, index) => (index === at ? byte ^ 0x80 : byte)),
        ),
      ).toBe('AEAD_DECRYPT_FAILED');
  });
});

describe('frames', () => {
  it('that are empty are passed over', () => {
    const reader = new FrameReader();
    expect(reader.push(concatBytes(new Uint8Array(8), frameOf(Uint8Array.of(7)), new Uint8Array(4)))).toEqual([
      Uint8Array.of(7),
    ]);
    reader.end();
  });

  it('that are too large are refused by their head alone', async () => {
    const head = new Uint8Array(4);
    for (const length of [101, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]) {
      new DataView(head.buffer).setUint32(0, length);
      expect(await faultOf(() => new FrameReader(100).push(head))).toBe('CHUNK_TOO_LARGE');
    }
  });
});

describe('the key of a server', () => {
  const key = generateHpkeKeyPair().publicKey;

  it('is written as the authors’ client reads it, and read as it writes it', async () => {
    expect(await (await Identity.unmarshalPublicConfig(keyConfigOf(key))).getPublicKeyHex()).toBe(bytesToHex(key));
    const theirs = await Identity.generate();
    expect(bytesToHex(readKeyConfig(await theirs.marshalConfig()))).toBe(await theirs.getPublicKeyHex());
  });

  it('is refused cut, with another KEM or suite', async () => {
    const config = keyConfigOf(key);
    const withByte = (at: number, value: number) => config.map((byte, index) => (index === at ? value : byte));
    for (const length of [0, 3, 35, config.length - 1])
      expect(await faultOf(() => readKeyConfig(config.subarray(0, length)))).toBe('INVALID_KEY_CONFIG');
    expect(await faultOf(() => readKeyConfig(withByte(36, 5)))).toBe('INVALID_KEY_CONFIG');
    expect(await faultOf(() => readKeyConfig(withByte(36, 8)))).toBe('INVALID_KEY_CONFIG');
    for (const [at, value] of [
      [2, 0x10],
      [38, 2],
      [40, 1],
    ] as const)
      expect(await faultOf(() => readKeyConfig(withByte(at, value)))).toBe('UNSUPPORTED_SUITE');
  });
});
