import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { LargeForm } from './lies';

const MIB = 1_048_576;
/**
 * Maximum bytes to send, more than any client reads. A client that is still connected afterwards has read without a
 * limit.
 */
const SENT_BYTES_MAX = 600 * MIB;
/** Maximum size of a compressed body, which expands 1,000 times. */
const PACKED_BYTES_MAX = 3 * MIB;
const ONE_BYTE_CHUNKS = 8_192;
/** Maximum size of a body in one-byte chunks, which are slow to read. */
const CHUNKED_BYTES_MAX = 100 * MIB;

const filled = (piece: string): Buffer => Buffer.from(piece.repeat(Math.ceil(MIB / piece.length)));

/** Start of a body, and the part that repeats. */
const FORMS: Readonly<Record<LargeForm, { type: string; head: string; part: () => Buffer }>> = {
  blanks: { type: 'application/json', head: '{"data":[', part: () => filled(' ') },
  'one-byte-chunks': {
    type: 'application/json',
    head: '{"data":[',
    part: () => Buffer.from('1\r\n \r\n'.repeat(ONE_BYTE_CHUNKS)),
  },
  bomb: { type: 'application/json', head: '', part: () => gzipSync(Buffer.alloc(64 * MIB, ' ')) },
  objects: { type: 'application/json', head: '{"data":[{}', part: () => filled(',{}') },
  brackets: { type: 'application/json', head: '{"data":', part: () => filled('[') },
  'one-event': { type: 'text/event-stream', head: 'data: {"x":"', part: () => filled('x') },
  events: {
    type: 'text/event-stream',
    head: '',
    part: () => filled('data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":""}}]}\n\n'),
  },
  lines: { type: 'text/event-stream', head: '', part: () => filled('data:\n') },
};

/** Sends a body until the client disconnects. @returns once the client has disconnected or read far too much */
export async function sendLarge(
  socket: Socket,
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
  form: LargeForm,
): Promise<void> {
  const { type, head, part } = FORMS[form];
  const own = headers.filter(
    ([name]) => name !== 'content-type' && name !== 'transfer-encoding' && name !== 'content-encoding',
  );
  const lines = [
    `HTTP/1.1 ${status} Any`,
    ...own.map(([name, value]) => `${name}: ${value}`),
    `content-type: ${type}`,
    ...(form === 'bomb' ? ['content-encoding: gzip'] : []),
    'transfer-encoding: chunked',
    'connection: close',
    '',
    '',
  ];
  const bytes = form === 'one-byte-chunks' ? part() : framed(part());
  const sentMax = form === 'bomb' ? PACKED_BYTES_MAX : form === 'one-byte-chunks' ? CHUNKED_BYTES_MAX : SENT_BYTES_MAX;
  const parts = function* (): Generator<Buffer> {
    yield Buffer.from(lines.join('\r\n'), 'latin1');
    if (head !== '') yield framed(Buffer.from(head));
    for (let sent = 0; sent < sentMax; sent += bytes.length) yield bytes;
    yield Buffer.from('0\r\n\r\n');
  };
  await pipeline(Readable.from(parts()), socket).catch(() => undefined);
}

function framed(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
