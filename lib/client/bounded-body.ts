import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { LateAnswerError, OversizedAnswerError } from './client-errors';

/** The longest refusal that is read, in bytes. The gateway's own, with a sentence for each item of a batch, are shorter. */
export const ERROR_BODY_BYTES_MAX = 262_144;
const TIMEOUT_MS = 30_000;

/**
 * The text of an answer of at most so many bytes.
 * @throws {OversizedAnswerError | LateAnswerError} for one that is longer or takes longer, whose rest is not read; and what reading throws
 */
export async function boundedText(
  response: Pick<Response, 'body'>,
  bytesMax: number,
  timeoutMs: number = TIMEOUT_MS,
): Promise<string> {
  const { text, fault } = await readBeginning(response, bytesMax, timeoutMs);
  if (fault) throw fault;
  return text;
}

/** The text of a refusal, or its beginning where it is long or late: its status says what matters. @throws what reading throws */
export async function errorText(response: Pick<Response, 'body'>): Promise<string> {
  return (await readBeginning(response, ERROR_BODY_BYTES_MAX, TIMEOUT_MS)).text;
}

async function readBeginning(
  { body }: Pick<Response, 'body'>,
  bytesMax: number,
  timeoutMs: number,
): Promise<{ text: string; fault: Error | null }> {
  const read = new GrowingBytes();
  const reader = body?.getReader();
  let fault: Error | null = null;
  const leave = (because: Error): void => {
    fault = because;
    // One half of a clone is cancelled for good only when the other is: nothing waits for it.
    reader?.cancel().catch(() => undefined);
  };
  const timer = setTimeout(() => leave(new LateAnswerError(timeoutMs)), timeoutMs);
  try {
    while (reader && !fault) {
      const { done, value } = await reader.read();
      if (done) break;
      const room = bytesMax - read.length;
      read.append(value.subarray(0, room));
      if (value.length > room) leave(new OversizedAnswerError(bytesMax));
    }
    return { text: new TextDecoder().decode(read.bytes), fault };
  } finally {
    clearTimeout(timer);
  }
}
