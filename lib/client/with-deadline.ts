import { UnreachableError } from './gateway-error';

/**
 * Runs a call until the caller aborts or the time is over.
 *
 * @throws the call's error; after the timeout an `UnreachableError` that is not marked as aborted
 */
export async function withDeadline<T>(
  signal: AbortSignal | undefined,
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await call(signal === undefined ? deadline : AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (error instanceof UnreachableError && deadline.aborted && !signal?.aborted)
      throw new UnreachableError(error.baseUrl, false, { cause: error });
    throw error;
  }
}
