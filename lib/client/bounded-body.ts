import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { LateAnswerError, OversizedAnswerError } from './client-errors';

/** Longest error body that is read, in bytes. The gateway's own error bodies are shorter. */
export const ERROR_BODY_BYTES_MAX = 262_144;
const TIMEOUT_MS = 30_000;

/**
 * Reads the text of an answer up to a limit.
 *
 * @throws {OversizedAnswerError | LateAnswerError} beyond the limit, without reading the rest; any error from reading
 *   the body
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

/**
 * Reads the text of an error body; only its beginning if the body is too long or too slow.
 *
 * @throws any error from reading the body
 */
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
    // Not awaited, because cancelling one branch of a cloned body waits for the other branch.
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
