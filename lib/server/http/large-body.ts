import { type BodySink, isPushBody, type PushBody, type Reply, type WholeBody } from './call';
import { COUNTED_BYTES_MIN, type HeldMemory } from './held-memory/held-memory';
import type { Reading } from './held-memory/large-answers';

/** Bytes per write. Each accepted write counts as progress of the reader. */
const SLICE_BYTES = 131_072;

interface LargeBodyOptions {
  giveUp: () => void;
  /** True to copy each slice, because the connection does not report when it has finished with the slice. */
  isCopied?: boolean;
}

/**
 * Large body sent in slices, as fast as the reader accepts them. The body is freed when the reader has all of
 * it or has disconnected. `start` or `cancel` must be called.
 */
export class LargeBody implements PushBody {
  readonly bytes: number;
  readonly isComplete = false;
  readonly #parts: readonly Uint8Array[];
  readonly #reading: Reading;
  readonly #isCopied: boolean;
  #sink: BodySink | null = null;
  #part = 0;
  #at = 0;

  /** @param accountId null if the caller has no account */
  constructor(
    body: WholeBody,
    accountId: number | null,
    memory: HeldMemory,
    { giveUp, isCopied = false }: LargeBodyOptions,
  ) {
    this.#reading = memory.read(body, accountId, giveUp);
    this.#parts = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
    this.#isCopied = isCopied;
    this.bytes = this.#parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Returns a reply's body as a `LargeBody`; null for a small body. */
  static of({ body, accountId }: Reply, memory: HeldMemory, options: LargeBodyOptions): LargeBody | null {
    return body !== null && !(body instanceof ReadableStream) && !isPushBody(body) && isLarge(body)
      ? new LargeBody(body, accountId ?? null, memory, options)
      : null;
  }

  start(sink: BodySink): void {
    this.#sink = sink;
    this.#send();
  }

  resume(): void {
    this.#reading.progressed();
    this.#send();
  }

  sent(): void {
    this.#reading.end(true);
  }

  cancel(): void {
    this.#reading.end(true);
  }

  #send(): void {
    const sink = this.#sink;
    if (!sink) return;
    for (let part = this.#parts[this.#part]; part; part = this.#parts[this.#part]) {
      const end = Math.min(this.#at + SLICE_BYTES, part.byteLength);
      const slice = part.subarray(this.#at, end);
      this.#at = end;
      if (end === part.byteLength) this.#next();
      if (!sink.write(this.#isCopied ? Uint8Array.from(slice) : slice)) return;
    }
    this.#sink = null;
    sink.end();
  }

  #next(): void {
    this.#part++;
    this.#at = 0;
  }
}

/** Returns whether a body is large. Counts a text's characters instead of its bytes, because that is faster. */
function isLarge(body: WholeBody): boolean {
  if (typeof body === 'string') return body.length > COUNTED_BYTES_MIN;
  if (body instanceof Uint8Array) return body.byteLength > COUNTED_BYTES_MIN;
  let bytes = 0;
  for (const part of body) bytes += part.byteLength;
  return bytes > COUNTED_BYTES_MIN;
}
