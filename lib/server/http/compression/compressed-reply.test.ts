import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HeldMemory } from '../held-memory/held-memory';
import { bytesOf, json, type Reply, type WholeBody } from '../call';
import { COMPRESSED_BYTES_MAX, type CompressedCall, compressedReply, PLAIN_BYTES_MAX } from './compressed-reply';
import { CONTENT_CODINGS, type ContentCoding } from './content-coding';

const DECODE: Record<ContentCoding, (bytes: Uint8Array) => Buffer> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
const LIMITS = {
  answersBytesMax: 48_000_000,
  callerBytesMax: 32_000_000,
  waitingMax: 4,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 60_000,
};

function memoryOf(): HeldMemory {
  const memory = new HeldMemory(LIMITS);
  onTestFinished(() => memory.close());
  return memory;
}

function call(
  acceptEncoding: string | null,
  whenGone: CompressedCall['whenGone'] = () => () => undefined,
): CompressedCall {
  return { header: (name) => (name === 'accept-encoding' ? acceptEncoding : null), whenGone };
}

/** Returns repetitive JSON of exactly this many bytes. */
function textOf(bytes: number): string {
  const item = '{"address":"0x52908400098527886e0f7030069857d2e4169ee7","balance":"é1"},';
  const text = item.repeat(Math.ceil(bytes / Buffer.byteLength(item)));
  return (
    Buffer.from(text)
      .toString('latin1')
      .slice(0, bytes - 1)
      .replace(/[^\x20-\x7e]/g, '_') + ']'
  );
}

const replyOf = (body: Reply['body'], headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
const whole = (reply: Reply): Buffer => Buffer.from(bytesOf(reply.body as WholeBody));

describe.each(CONTENT_CODINGS)('%s', (coding) => {
  it.each([PLAIN_BYTES_MAX + 1, 16_384, 16_385, 65_537, 1_000_000, COMPRESSED_BYTES_MAX])(
    'gives back the same %i bytes, whether they are text, bytes or parts',
    async (bytes) => {
      const text = textOf(bytes);
      const buffer = Buffer.from(text);
      const parts = [
        buffer.subarray(0, 1),
        buffer.subarray(1, 1),
        ...Array.from({ length: 9 }, (_none, i) => buffer.subarray(1 + i * 100, 101 + i * 100)),
        buffer.subarray(901),
      ];
      for (const body of [text, buffer, parts]) {
        const reply = await compressedReply(replyOf(body), call(coding), memoryOf());
        expect(reply.headers).toEqual({
          'content-type': 'application/json',
          vary: 'Accept-Encoding',
          'content-encoding': coding,
        });
        expect(whole(reply).length).toBeLessThan(bytes / 3);
        expect(DECODE[coding](whole(reply)).equals(buffer)).toBe(true);
      }
    },
  );
});

describe('sent as it is, without a word about it,', () => {
  const long = textOf(2_000);
  it.each<[string, Reply]>([
    ['a short answer', replyOf(textOf(PLAIN_BYTES_MAX))],
    ['a short one of long characters', replyOf('€'.repeat(341))],
    ['none', replyOf(null)],
    ['what comes bit by bit', replyOf({ start: () => undefined, resume: () => undefined, cancel: () => undefined })],
    ['a web stream', replyOf(new ReadableStream())],
    ['a stream of events that was kept', replyOf(long, { 'content-type': 'text/event-stream; charset=utf-8' })],
    ['speech', replyOf(Buffer.from(long), { 'content-type': 'audio/mpeg' })],
    ['a video', replyOf(Buffer.from(long), { 'content-type': 'video/mp4' })],
    ['bytes', replyOf(Buffer.from(long), { 'content-type': 'application/octet-stream' })],
    ['what says not what it is', { status: 200, headers: {}, body: long }],
    ['what has JSON in its name alone', replyOf(long, { 'content-type': 'application/jsonx' })],
    ['what must not be altered', replyOf(long, { 'cache-control': 'no-store, no-transform' })],
    ['what is encoded', replyOf(long, { 'content-encoding': 'br' })],
    ['what has an ETag', replyOf(long, { etag: '"1"' })],
    ['a part', replyOf(long, { 'content-range': 'bytes 0-1999/4000' })],
    ['what is encrypted, or has a secret beside text of the request', { ...replyOf(long), isVerbatim: true }],
  ])('%s', (_what, reply) => expect(compressedReply(reply, call('gzip, br, zstd'), memoryOf())).toBe(reply));
});

describe('what could be compressed', () => {
  it.each([
    ['application/json; charset=utf-8'],
    ['application/problem+json'],
    ['Application/Linkset+JSON'],
    ['text/plain'],
    ['text/markdown; charset=utf-8'],
  ])('of the type %s', async (type) => {
    const reply = await compressedReply(replyOf('€'.repeat(342), { 'content-type': type }), call('gzip'), memoryOf());
    expect(reply.headers['content-encoding']).toBe('gzip');
  });

  it.each([
    ['nothing', null],
    ['what we do not have', 'deflate'],
    ['a refusal', 'gzip;q=0, *;q=0'],
    ['8 KB of anything', 'gzip,'.repeat(1_600)],
  ])('is sent as it is where the client says %s, and says that it depends on that', async (_what, accepted) => {
    const body = textOf(40_000);
    const reply = await compressedReply(replyOf(body), call(accepted), memoryOf());
    expect(reply).toEqual(replyOf(body, { vary: 'Accept-Encoding' }));
  });

  it.each([
    ['Host', 'Host, Accept-Encoding'],
    ['Host, accept-encoding', 'Host, accept-encoding'],
    ['*', '*'],
    ['X-Accept-Encoding', 'X-Accept-Encoding, Accept-Encoding'],
  ])('adds to what it depends on: %s', async (vary, expected) => {
    expect((await compressedReply(replyOf(textOf(2_000), { vary }), call(null), memoryOf())).headers.vary).toBe(
      expected,
    );
  });

  it('keeps its status, reason and caller; the headers that it came with are not touched', async () => {
    const reply: Reply = {
      ...json({ error: 'x'.repeat(2_000) }, 402),
      reason: 'Payment Required: 0.00 USD',
      accountId: 3,
    };
    const before = structuredClone(reply);
    expect(await compressedReply(reply, call('br'), memoryOf())).toMatchObject({
      status: 402,
      reason: reply.reason,
      accountId: 3,
      headers: { 'content-encoding': 'br' },
    });
    expect(reply).toEqual(before);
  });

  it('is sent as it is where nothing is saved', async () => {
    for (const bytes of [1_100, 300_000]) {
      const random = randomBytes(bytes);
      for (const coding of CONTENT_CODINGS) {
        const reply = await compressedReply(replyOf(random), call(coding), memoryOf());
        expect(reply.headers).toEqual(replyOf(null, { vary: 'Accept-Encoding' }).headers);
        expect(reply.body).toBe(random);
      }
    }
  });

  it('is sent as it is beyond 8 MiB', async () => {
    const body = Buffer.alloc(COMPRESSED_BYTES_MAX + 1, 'x');
    const reply = await compressedReply(replyOf(body), call('zstd'), memoryOf());
    expect(reply.headers).toEqual(replyOf(null, { vary: 'Accept-Encoding' }).headers);
    expect(reply.body).toBe(body);
  });
});

describe('the memory of a large answer', () => {
  /** Returns a copy that `HeldMemory` counts, like an answer of an upstream. */
  function counted(memory: HeldMemory, bytes: Buffer): Buffer {
    const own = Buffer.allocUnsafeSlow(bytes.length);
    own.set(bytes);
    const arrival = memory.arrive(() => undefined);
    arrival.claim(own.length);
    arrival.complete(own);
    return own;
  }

  it('is given back once it is compressed; from then on the compressed one counts', async () => {
    const memory = memoryOf();
    const body = counted(memory, Buffer.from(textOf(4_000_000)));
    const promised = compressedReply(replyOf([Buffer.from('['), body, Buffer.from(']')]), call('br'), memory);
    expect([memory.figures.heldBytes, body.length]).toEqual([4_000_000, 4_000_000]);
    await promised;
    expect([memory.figures.heldBytes, body.length]).toEqual([0, 0]);
    const mixed = Buffer.from(
      Array.from({ length: 1_000_000 }, (_none, i) => 48 + (Math.imul(i + 1, 2_654_435_761) >>> 28)),
    );
    const large = counted(memory, mixed);
    const reply = await compressedReply(replyOf(large), call('gzip'), memory);
    expect(memory.figures.heldBytes).toBe(whole(reply).length > 65_536 ? whole(reply).length : 0);
    memory.release(reply.body as WholeBody);
    expect(memory.figures.heldBytes).toBe(0);
  });

  it('stays as it is for a client who has gone before its turn', async () => {
    const memory = memoryOf();
    const body = counted(memory, Buffer.from(textOf(1_000_000)));
    const reply = await compressedReply(
      replyOf(body),
      call('gzip', (listener) => {
        listener();
        return () => undefined;
      }),
      memory,
    );
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.body).toBe(body);
    expect([body.length, memory.figures.heldBytes]).toEqual([1_000_000, 1_000_000]);
  });

  it('of many at once, some are compressed and the others sent as they are, each whole', async () => {
    const memory = memoryOf();
    const text = textOf(200_000);
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => Promise.resolve(compressedReply(replyOf(text), call('zstd'), memory))),
    );
    const compressed = replies.filter(({ headers }) => headers['content-encoding'] === 'zstd');
    expect(compressed).toHaveLength(34);
    for (const reply of replies)
      expect(reply.headers['content-encoding'] ? zstdDecompressSync(whole(reply)).toString() : reply.body).toBe(text);
  });
});
