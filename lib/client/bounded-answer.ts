import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { LateAnswerError, OversizedAnswerError } from './client-errors';

export interface AnswerBound {
  bytesMax: number;
  /** Longest wait for the body after the headers. */
  timeoutMs: number;
}

const MIB = 1_048_576;
const MINUTE_MS = 60_000;

/**
 * Each row: pattern for the end of a path, maximum MiB, maximum minutes. The sizes cover the gateway's default limits.
 */
const BOUNDS = [
  ['rpc/networks', 1, 1],
  // A node's result is at most 64 MiB; the gateway adds an id.
  ['rpc/[^/]+', 65, 10],
  ['chat/completions', 65, 60],
  ['audio/speech', 256, 30],
  ['audio/transcriptions', 65, 30],
  ['embeddings', 65, 10],
  ['images?/generat(?:ions|e)', 65, 10],
  ['video/retrieve', 512, 30],
  // The gateway reads up to 8 MiB from an enclave, and adds collateral and NVIDIA's verdict.
  ['tee/attestation', 16, 1],
  ['tee/signature', 1 / 16, 1],
  ['tee/measurements', 1, 1],
  ['tee/reports/[^/]+', 2, 1],
  ['receipts/[^/]+', 1 / 8, 1],
  ['jwks\\.json', 1 / 16, 1],
] as const;
const OTHERS = ['', 8, 2] as const;

/** Returns the size and time limits of an endpoint's answers. */
export function answerBoundOf(path: string): AnswerBound {
  const [, mib, minutes] = BOUNDS.find(([ending]) => new RegExp(`/${ending}(\\?|$)`).test(path)) ?? OTHERS;
  return { bytesMax: mib * MIB, timeoutMs: minutes * MINUTE_MS };
}

/** Maximum number of bytes read from an error body. The gateway's own error bodies are shorter. */
export const ERROR_BODY_BYTES_MAX = 262_144;
const TIMEOUT_MS = 30_000;

/**
 * Reads the text of an answer up to a limit.
 *
 * @throws {OversizedAnswerError | LateAnswerError} if the answer exceeds a limit (the rest is not read); any error from
 *   reading the body
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
 * Reads the text of an error body. If the body is too long or too slow, returns only its beginning.
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
    // Not awaited: if the body was cloned, `cancel` would wait for the other copy to end.
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
