import { GrowingBytes } from '@/lib/protocol/growing-bytes';
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
      read.append(value.subarray(0, room));
      if (value.length <= room) continue;
      leave();
      return { bytes: read.bytes, end: 'long' };
    }
  } finally {
    clearTimeout(timer);
  }
}
