import { createDecipheriv, hkdfSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { gunzip, storedGzip } from './gzip';
import { CAPSULE_BYTES, ENVELOPE_BYTES, MlKemError, type MlKemFault, REQUEST_OVERHEAD_BYTES } from './format';
import { generateMlKemKeyPair, keyTo, openPiece, sealPiece } from './pieces';
import { AnswerSealer, eventOf, openBody, sealWholeAnswer } from './recipient';
import { AnswerOpener, sealBody } from './sender';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const PLAIN_BYTES_MAX = 1_000_000;
const QUESTION = { model: 'm', messages: [{ role: 'user', content: 'Grüße 🦊' }], stream: true };
const EVENTS = [
  'data: {"choices":[{"index":0,"delta":{"content":"eins 🦊"}}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
];
const DONE = 'data: [DONE]\n\n';
const instance = generateMlKemKeyPair();

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const withFlipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

async function faultOf(run: () => unknown): Promise<MlKemFault> {
  try {
    await run();
  } catch (error) {
    if (error instanceof MlKemError) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Returns the plaintext that a client decrypts from a stream, including its end. */
function read(secretKey: Uint8Array, stream: string, size = stream.length): string {
  const opener = new AnswerOpener(secretKey);
  const bytes = utf8ToBytes(stream);
  let plain = '';
  for (let at = 0; at < bytes.length; at += size)
    plain += opener
      .push(bytes.subarray(at, at + size))
      .map(text)
      .join('');
  return plain + opener.end().map(text).join('');
}

/** Returns an encrypted request, the decrypted request, and the pieces of its answer. */
async function exchange() {
  const { body, secretKey } = sealBody(QUESTION, instance.publicKey);
  const opened = await openBody(body, instance.secretKey, PLAIN_BYTES_MAX);
  const sealer = new AnswerSealer(opened.answerKey);
  return { body, secretKey, opened, sealer, pieces: EVENTS.map((event) => sealer.piece(event)) };
}

/** Decrypts with Node's ciphers and zlib by Chutes' published construction, as an independent implementation. */
function openedByNode(blob: Uint8Array, secretKey: Uint8Array, info: string): Buffer {
  const capsule = blob.subarray(0, 1_088);
  const key = Buffer.from(
    hkdfSync('sha256', ml_kem768.decapsulate(capsule, secretKey), capsule.subarray(0, 16), Buffer.from(info), 32),
  );
  const cipher = createDecipheriv('chacha20-poly1305', key, blob.subarray(1_088, 1_100), { authTagLength: 16 });
  cipher.setAuthTag(blob.subarray(-16));
  return Buffer.concat([cipher.update(blob.subarray(1_100, -16)), cipher.final()]);
}

describe('a request that is encrypted to an instance', () => {
  it('is of the family’s form, by other ciphers than ours', async () => {
    const { body, secretKey, opened } = await exchange();
    const json = JSON.parse(gunzipSync(openedByNode(body, instance.secretKey, 'e2e-req-v1')).toString()) as Record<
      string,
      unknown
    >;
    expect(json).toEqual({ ...QUESTION, e2e_response_pk: Buffer.from(opened.answerKey).toString('base64') });
    expect(Buffer.from(json['e2e_response_pk'] as string, 'base64')).toHaveLength(1_184);
    const answer = sealWholeAnswer('{"id":"1"}', opened.answerKey);
    expect(gunzipSync(openedByNode(answer, secretKey, 'e2e-resp-v1')).toString()).toBe('{"id":"1"}');
  });

  it('is read by the holder of its key alone, compressed or not', async () => {
    const { opened, body } = await exchange();
    expect(opened.request).toEqual(QUESTION);
    expect(await faultOf(() => openBody(body, generateMlKemKeyPair().secretKey, PLAIN_BYTES_MAX))).toBe(
      'NOT_DECRYPTABLE',
    );
    const { key, capsule } = keyTo(instance.publicKey, 'request');
    const compressed = gzipSync(
      JSON.stringify({ ...QUESTION, e2e_response_pk: Buffer.from(opened.answerKey).toString('base64') }),
    );
    expect(
      (await openBody(concatBytes(capsule, sealPiece(compressed, key)), instance.secretKey, PLAIN_BYTES_MAX)).request,
    ).toEqual(QUESTION);
  });

  it('is never the same twice, and each has another key for its answer', async () => {
    const [one, other] = [await exchange(), await exchange()];
    expect(one.body.length).toBe(other.body.length);
    expect(Buffer.from(one.body.subarray(0, 1_088)).equals(other.body.subarray(0, 1_088))).toBe(false);
    expect(Buffer.from(one.opened.answerKey).equals(other.opened.answerKey)).toBe(false);
  });

  it('is as long as it is in plain text and what is around it, whatever it says', () => {
    const lengthOf = (content: string) =>
      sealBody({ ...QUESTION, messages: [{ role: 'user', content }] }, instance.publicKey).body.length;
    expect(lengthOf('a'.repeat(500))).toBe(lengthOf('the quick brown fox '.repeat(25)));
    const json = JSON.stringify(QUESTION);
    expect(
      Math.abs(sealBody(QUESTION, instance.publicKey).body.length - utf8ToBytes(json).length - REQUEST_OVERHEAD_BYTES),
    ).toBeLessThan(32);
  });

  it('is refused with any byte touched, cut or added', async () => {
    const { body } = await exchange();
    const open = (bytes: Uint8Array) => faultOf(() => openBody(bytes, instance.secretKey, PLAIN_BYTES_MAX));
    for (let at = 0; at < body.length; at += 31)
      expect(await open(withFlipped(body, at)), String(at)).toBe('NOT_DECRYPTABLE');
    for (const length of [0, 1, CAPSULE_BYTES, ENVELOPE_BYTES - 1, ENVELOPE_BYTES, body.length - 1])
      expect(await open(body.subarray(0, length)), String(length)).toBe('NOT_DECRYPTABLE');
    expect(await open(concatBytes(body, Uint8Array.of(0)))).toBe('NOT_DECRYPTABLE');
  });

  it('is not made for what is no key', async () => {
    for (const key of [
      new Uint8Array(),
      instance.publicKey.subarray(1),
      concatBytes(instance.publicKey, Uint8Array.of(0)),
      concatBytes(Uint8Array.of(0xff, 0xff), instance.publicKey.subarray(2)),
    ])
      expect(await faultOf(() => sealBody(QUESTION, key))).toBe('INVALID_KEY');
  });

  it.each<[string, (key: Uint8Array) => Uint8Array, MlKemFault]>([
    ['no gzip', () => utf8ToBytes('{}'), 'NOT_DECRYPTABLE'],
    ['gzip of what is no JSON', () => storedGzip(utf8ToBytes('x')), 'NOT_DECRYPTABLE'],
    ['gzip of a list', () => storedGzip(utf8ToBytes('[]')), 'NOT_DECRYPTABLE'],
    ['no key for the answer', () => storedGzip(utf8ToBytes('{}')), 'NOT_DECRYPTABLE'],
    [
      'a key for the answer that is too short',
      () => storedGzip(utf8ToBytes('{"e2e_response_pk":"AAAA"}')),
      'NOT_DECRYPTABLE',
    ],
    ['more than is read, in a thousandth of its length', () => gzipSync(Buffer.alloc(2 * PLAIN_BYTES_MAX)), 'TOO_LONG'],
  ])('with %s in it is refused', async (_what, plain, fault) => {
    const { key, capsule } = keyTo(instance.publicKey, 'request');
    expect(
      await faultOf(() =>
        openBody(concatBytes(capsule, sealPiece(plain(key), key)), instance.secretKey, PLAIN_BYTES_MAX),
      ),
    ).toBe(fault);
  });
});

describe('an answer that is streamed', () => {
  it('is read however it is cut, with the count that stands beside it', async () => {
    const { secretKey, sealer, pieces } = await exchange();
    const stream = `: alive\n\n${sealer.beginning}${pieces.join('')}${eventOf({ usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}${DONE}`;
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n';
    const plain = EVENTS.map((event) => `${event}\n\n`).join('') + usage + DONE;
    for (const size of [1, 7, 1_000, stream.length]) expect(read(secretKey, stream, size)).toBe(plain);
    expect(read(secretKey, stream.replaceAll('\n', '\r\n'))).toBe(plain);
  });

  it('tells of its end once, where what is encrypted has one too', async () => {
    const { secretKey, sealer, pieces } = await exchange();
    const usage = eventOf({ usage: { prompt_tokens: 3, completion_tokens: 2 } });
    for (const end of [sealer.piece(DONE), sealer.piece(DONE) + usage + DONE, DONE])
      expect(read(secretKey, sealer.beginning + pieces.join('') + end).split('[DONE]')).toHaveLength(2);
  });

  it('hands an error on as one', async () => {
    const { secretKey, sealer } = await exchange();
    expect(read(secretKey, sealer.beginning + eventOf({ e2e_error: { message: 'out of memory' } }))).toBe(
      'data: {"error":{"message":"out of memory"}}\n\n',
    );
  });

  it('to another request is not read: nobody can swap answers', async () => {
    const [one, other] = [await exchange(), await exchange()];
    expect(await faultOf(() => read(one.secretKey, other.sealer.beginning + other.pieces.join('')))).toBe(
      'NOT_DECRYPTABLE',
    );
    expect(await faultOf(() => read(one.secretKey, one.sealer.beginning + other.pieces.join('')))).toBe(
      'NOT_DECRYPTABLE',
    );
  });

  it('by somebody who has not read the request is not read', async () => {
    const { secretKey } = await exchange();
    const forged = new AnswerSealer(generateMlKemKeyPair().publicKey);
    expect(await faultOf(() => read(secretKey, forged.beginning + forged.piece(EVENTS[0] as string)))).toBe(
      'NOT_DECRYPTABLE',
    );
  });

  it.each<[string, (beginning: string, pieces: readonly string[], end: string) => string, MlKemFault]>([
    ['a piece before its key', (beginning, [first = '']) => first + beginning, 'NOT_DECRYPTABLE'],
    ['a second beginning', (beginning, pieces) => beginning + beginning + pieces.join(''), 'NOT_DECRYPTABLE'],
    ['a piece that comes again', (beginning, [first = '']) => beginning + first + first, 'NOT_DECRYPTABLE'],
    ['a piece after its own end', (beginning, [first = ''], end) => beginning + end + first, 'NOT_DECRYPTABLE'],
    ['a piece that is no base64', (beginning) => beginning + eventOf({ e2e: '*' }), 'NOT_DECRYPTABLE'],
    ['a piece that is too short', (beginning) => beginning + eventOf({ e2e: 'AAAA' }), 'NOT_DECRYPTABLE'],
    ['a capsule that is too short', () => eventOf({ e2e_init: 'AAAA' }), 'NOT_DECRYPTABLE'],
    ['a chunk in the clear', (beginning) => beginning + EVENTS[0], 'NOT_ENCRYPTED'],
    [
      'a chunk in the clear that has a usage',
      (beginning) =>
        beginning +
        eventOf({
          choices: [{ index: 0, delta: { content: 'Trust me.' } }],
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        }),
      'NOT_ENCRYPTED',
    ],
    [
      'a chunk in the clear without a usage, that has the member',
      (beginning) => beginning + eventOf({ usage: null }),
      'NOT_ENCRYPTED',
    ],
    ['something that is no JSON', (beginning) => `${beginning}data: Trust me.\n\n`, 'NOT_ENCRYPTED'],
    ['an end within a line', (beginning, [first = '']) => beginning + first.slice(0, -9), 'TRUNCATED'],
    ['a line that does not end', (beginning) => beginning + 'x'.repeat(5_000_000), 'TOO_LONG'],
  ])('with %s is refused', async (_what, make, fault) => {
    const { secretKey, sealer, pieces } = await exchange();
    expect(await faultOf(() => read(secretKey, make(sealer.beginning, pieces, sealer.piece(DONE))))).toBe(fault);
  });

  it('is refused with any bit of a piece flipped, wherever', async () => {
    const { secretKey, sealer, pieces } = await exchange();
    const [first = ''] = pieces;
    const sealed = Buffer.from((JSON.parse(first.slice(6)) as { e2e: string }).e2e, 'base64');
    for (let at = 0; at < sealed.length; at++)
      expect(
        await faultOf(() =>
          read(secretKey, sealer.beginning + eventOf({ e2e: Buffer.from(withFlipped(sealed, at)).toString('base64') })),
        ),
      ).toBe('NOT_DECRYPTABLE');
  });

  it('is refused with any bit of its capsule flipped', async () => {
    const { secretKey, sealer, pieces } = await exchange();
    const capsule = Buffer.from((JSON.parse(sealer.beginning.slice(6)) as { e2e_init: string }).e2e_init, 'base64');
    for (let at = 0; at < capsule.length; at += 97)
      expect(
        await faultOf(() =>
          read(
            secretKey,
            eventOf({ e2e_init: Buffer.from(withFlipped(capsule, at)).toString('base64') }) + pieces.join(''),
          ),
        ),
      ).toBe('NOT_DECRYPTABLE');
  });
});

describe('gzip that is stored', () => {
  it.each([0, 1, 65_535, 65_536, 200_000])('of %d bytes is what every reader of gzip reads', async (length) => {
    const bytes = Buffer.alloc(length, 'Grüße');
    expect(gunzipSync(storedGzip(bytes)).equals(bytes)).toBe(true);
    expect(Buffer.from(await gunzip(storedGzip(bytes), length)).equals(bytes)).toBe(true);
  });

  it('is refused with its sum touched', async () => {
    const bytes = storedGzip(utf8ToBytes('abc'));
    expect(await faultOf(() => gunzip(withFlipped(bytes, bytes.length - 8), 100))).toBe('NOT_DECRYPTABLE');
    expect(await faultOf(() => gunzip(bytes, 2))).toBe('TOO_LONG');
  });
});

it('a piece under another key, or of nothing, does not open', async () => {
  const { key } = keyTo(instance.publicKey, 'stream');
  expect(await faultOf(() => openPiece(sealPiece(utf8ToBytes('a'), key), new Uint8Array(32)))).toBe('NOT_DECRYPTABLE');
  expect(await faultOf(() => openPiece(new Uint8Array(27), key))).toBe('NOT_DECRYPTABLE');
});
