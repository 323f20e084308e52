import { byteLengthOf, bytesOf, type Call, isPushBody, type Reply, type WholeBody } from '../call';
import { COUNTED_BYTES_MIN, type HeldMemory } from '../held-memory/held-memory';
import { CompressionTurns } from './compression-turns';
import { compressAtOnce, compressOnThreads } from './compressors';
import { acceptedCoding, type ContentCoding } from './content-coding';

/** What is not longer is sent as it is: it fits into one packet. */
export const PLAIN_BYTES_MAX = 1_024;
/** What is longer goes to a thread. */
const AT_ONCE_BYTES_MAX = 16_384;
/** What is longer is sent as it is: it would be held twice until it is compressed. */
export const COMPRESSED_BYTES_MAX = 8 * 1_024 * 1_024;
/** Of a long one: what comes to more than this part of it is not worth being held twice. */
const WORTH = 0.75;

const COMPRESSIBLE_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?!event-stream)[\w.+-]+)\s*(?:;|$)/i;
const NO_TRANSFORM = /(?:^|,)\s*no-transform\s*(?:,|$)/i;
/** Of whoever has these, the bytes are what they say. */
const OF_THESE_BYTES = ['content-encoding', 'content-range', 'etag'];

const turns = new CompressionTurns(2, 32);

/** What is asked of a call here. */
export type CompressedCall = Pick<Call, 'header' | 'whenGone'>;

/**
 * The reply as its caller wants it: a whole body of text or JSON over 1 KiB compressed, everything else as it is.
 * Whatever could have been compressed says that it depends on Accept-Encoding.
 * @param memory that the long body is given back to, and its compressed one is held in.
 */
export function compressedReply(reply: Reply, call: CompressedCall, memory: HeldMemory): Reply | Promise<Reply> {
  const { body } = reply;
  if (!isWhole(body) || !isLong(body) || !isCompressible(reply)) return reply;
  const plain = { ...reply, headers: { ...reply.headers, vary: withAcceptEncoding(reply.headers.vary) } };
  const accepted = call.header('accept-encoding');
  const coding = accepted === null ? null : acceptedCoding(accepted);
  if (coding === null) return plain;
  const bytes = byteLengthOf(body);
  if (bytes > COMPRESSED_BYTES_MAX) return plain;
  if (bytes > AT_ONCE_BYTES_MAX) return onThreads(plain, body, coding, call, memory);
  const compressed = compressAtOnce(bytesOf(body), coding);
  return compressed.length < bytes ? inCoding(plain, coding, compressed) : plain;
}

async function onThreads(
  plain: Reply,
  body: WholeBody,
  coding: ContentCoding,
  { whenGone }: CompressedCall,
  memory: HeldMemory,
): Promise<Reply> {
  let isGone = false;
  const stopListening = whenGone(() => (isGone = true));
  const parts = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  const bytes = byteLengthOf(parts);
  const compressed = await turns.take(async () => (isGone ? null : compressOnThreads(parts, coding, bytes * WORTH)));
  stopListening();
  if (compressed === null) return plain;
  // From here on it is the compressed one that is held, if it is large enough to count.
  if (bytes > COUNTED_BYTES_MIN) memory.release(body);
  if (compressed.length > COUNTED_BYTES_MIN) memory.arrive(() => undefined).complete(compressed);
  return inCoding(plain, coding, compressed);
}

function inCoding(plain: Reply, coding: ContentCoding, body: Uint8Array): Reply {
  return { ...plain, headers: { ...plain.headers, 'content-encoding': coding }, body };
}

function isWhole(body: Reply['body']): body is WholeBody {
  return body !== null && !isPushBody(body) && !(body instanceof ReadableStream);
}

/** Cheap for text, of which most answers are: a character is one to three bytes. */
function isLong(body: WholeBody): boolean {
  if (typeof body !== 'string') return byteLengthOf(body) > PLAIN_BYTES_MAX;
  return (
    body.length > PLAIN_BYTES_MAX || (body.length * 3 > PLAIN_BYTES_MAX && Buffer.byteLength(body) > PLAIN_BYTES_MAX)
  );
}

function isCompressible({ headers, isVerbatim }: Reply): boolean {
  if (isVerbatim || !COMPRESSIBLE_TYPE.test(headers['content-type'] ?? '')) return false;
  if (headers['cache-control'] !== undefined && NO_TRANSFORM.test(headers['cache-control'])) return false;
  return OF_THESE_BYTES.every((name) => headers[name] === undefined);
}

function withAcceptEncoding(vary: string | undefined): string {
  if (vary === undefined) return 'Accept-Encoding';
  return /(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(vary) ? vary : `${vary}, Accept-Encoding`;
}
