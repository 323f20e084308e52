import type { AnswerBound } from './bounded-answer';
import { LateAnswerError, OversizedAnswerError } from './client-errors';

/** Estimated memory overhead of a stored chunk, in bytes. */
const CHUNK_BYTES = 256;

/**
 * Limits an answer's size and the time that its reader waits. If a limit is exceeded, reading the returned body fails.
 * Each chunk counts as at least CHUNK_BYTES, so that many tiny chunks cannot fill the reader's memory.
 */
export function boundedResponse(response: Response, { bytesMax, timeoutMs }: AnswerBound): Response {
  const { body, status, statusText, headers, url } = response;
  const reader = body?.getReader();
  if (!reader) return response;
  let [bytesLeft, msLeft] = [bytesMax, timeoutMs];
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const startedMs = performance.now();
    const timer = setTimeout(() => leave(new LateAnswerError(timeoutMs), controller), msLeft);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    msLeft -= performance.now() - startedMs;
    if (done) return close(controller);
    bytesLeft -= Math.max(value.length, CHUNK_BYTES);
    if (bytesLeft < 0) return leave(new OversizedAnswerError(bytesMax), controller);
    controller.enqueue(value);
  };
  const leave = (error: Error, controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.error(error);
    reader.cancel(error).catch(() => undefined);
  };
  const bounded = new Response(
    new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 }),
    { status, statusText, headers },
  );
  return Object.defineProperty(bounded, 'url', { value: url });
}

function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
  if (controller.desiredSize !== null) controller.close();
}
