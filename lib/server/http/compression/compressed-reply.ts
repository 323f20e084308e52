import { byteLengthOf, bytesOf, type Call, isPushBody, type Reply, type WholeBody } from '../call';
import { COUNTED_BYTES_MIN, type HeldMemory } from '../held-memory/held-memory';
import { compressAtOnce, compressOnThreads } from './compressors';
import { acceptedCoding, type ContentCoding } from './content-coding';

/**
 * Limits how many compressions run at the same time, because libuv's few threads also serve files and DNS. Waiting jobs
 * run in order of arrival.
 */
export class CompressionTurns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly runningMax: number,
    private readonly waitingMax: number,
  ) {}

  /**
   * Runs a job in its turn.
   *
   * @returns null immediately if too many jobs wait
   */
  async take<Result>(run: () => Promise<Result>): Promise<Result | null> {
    if (this.#running >= this.runningMax) {
      if (this.#waiting.length >= this.waitingMax) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** Answers up to this size fit into one packet and are not compressed. */
export const PLAIN_BYTES_MAX = 1_024;
/** Answers up to this size are compressed on the main thread. Longer answers use libuv's threads. */
const AT_ONCE_BYTES_MAX = 16_384;
/**
 * Answers above this size are not compressed, because the plain and the compressed body together would take too much
 * memory.
 */
export const COMPRESSED_BYTES_MAX = 8 * 1_024 * 1_024;
/** Above this ratio of compressed to plain size, answers over `AT_ONCE_BYTES_MAX` are sent plain. */
const WORTH = 0.75;

const COMPRESSIBLE_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?!event-stream)[\w.+-]+)\s*(?:;|$)/i;
const NO_TRANSFORM = /(?:^|,)\s*no-transform\s*(?:,|$)/i;
/** Answers with any of these headers are not compressed, because these headers describe exact bytes. */
const OF_THESE_BYTES = ['content-encoding', 'content-range', 'etag'];

const turns = new CompressionTurns(2, 32);

export type CompressedCall = Pick<Call, 'header' | 'whenGone'>;

/**
 * Compresses whole text or JSON bodies over 1 KiB if the client accepts a supported coding; else returns the reply
 * unchanged. Compressible answers have `Vary: Accept-Encoding`.
 * @param memory limit against which long bodies count, plain or compressed
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
  const compressed = await compressedInTurn(parts, coding, () => !isGone);
  stopListening();
  if (compressed === null) return plain;
  // From now on, the compressed body counts as used memory, and the plain body does not.
  if (bytes > COUNTED_BYTES_MIN) memory.release(body);
  if (compressed.length > COUNTED_BYTES_MIN) memory.arrive(() => undefined).complete(compressed);
  return inCoding(plain, coding, compressed);
}

/**
 * Compresses a body on one of libuv's threads.
 * @param isWanted called when the body's turn comes; returns false to skip the compression
 * @returns null if the body is too long or no longer wanted, if it hardly shrinks, or if too many bodies wait
 */
export async function compressedInTurn(
  parts: readonly Uint8Array[],
  coding: ContentCoding,
  isWanted: () => boolean = () => true,
): Promise<Uint8Array | null> {
  const bytes = byteLengthOf(parts);
  if (bytes > COMPRESSED_BYTES_MAX) return null;
  return turns.take(async () => (isWanted() ? compressOnThreads(parts, coding, bytes * WORTH) : null));
}

function inCoding(plain: Reply, coding: ContentCoding, body: Uint8Array): Reply {
  return { ...plain, headers: { ...plain.headers, 'content-encoding': coding }, body };
}

function isWhole(body: Reply['body']): body is WholeBody {
  return body !== null && !isPushBody(body) && !(body instanceof ReadableStream);
}

/**
 * Returns whether a body is long enough to compress. A UTF-16 unit takes one to three bytes in UTF-8, so the result is
 * usually clear without counting bytes.
 */
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
