import { LateAnswerError, OversizedAnswerError } from './gateway-error';

/** The longest refusal that is read, in bytes. The gateway's own, with a sentence for each item of a batch, are shorter. */
export const ERROR_BODY_BYTES_MAX = 262_144;
const TIMEOUT_MS = 30_000;

/**
 * The text of an answer of at most so many bytes.
 * @throws {OversizedAnswerError | LateAnswerError} for one that is longer or takes longer, whose rest is not read; and what reading throws
 */
export async function boundedText(response: Pick<Response, 'body'>, bytesMax: number, timeoutMs: number = TIMEOUT_MS): Promise<string> {
  const { bytes, end } = await readBeginning(response, bytesMax, timeoutMs);
  if (end === 'long') throw new OversizedAnswerError(bytesMax);
  if (end === 'late') throw new LateAnswerError(timeoutMs);
  return new TextDecoder().decode(bytes);
}

/** The text of a refusal, or its beginning where it is long or late: its status says what matters. @throws what reading throws */
export async function errorText(response: Pick<Response, 'body'>): Promise<string> {
  const { bytes } = await readBeginning(response, ERROR_BODY_BYTES_MAX, TIMEOUT_MS);
  return new TextDecoder().decode(bytes);
}

async function readBeginning({ body }: Pick<Response, 'body'>, bytesMax: number, timeoutMs: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; end: 'whole' | 'long' | 'late' }> {
  const read = new GrowingBytes();
  const reader = body?.getReader();
  if (!reader) return { bytes: read.bytes, end: 'whole' };
  // One half of a clone is cancelled for good only when the other is: nothing waits for it.
  const leave = (): void => void reader.cancel().catch(() => undefined);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, timeoutMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return { bytes: read.bytes, end: 'late' };
      if (done) return { bytes: read.bytes, end: 'whole' };
      const room = bytesMax - read.length;
      read.push(value.subarray(0, room));
      if (value.length <= room) continue;
      leave();
      return { bytes: read.bytes, end: 'long' };
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Bytes in one buffer that doubles: kept by themselves, chunks of one byte would take a hundred times their length. */
class GrowingBytes {
  #buffer = new Uint8Array(4_096);
  length = 0;

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.length);
  }

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }
}
