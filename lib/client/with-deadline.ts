import { UnreachableError } from './gateway-error';

/**
 * Runs a request until the caller aborts or the deadline passes.
 *
 * @throws the request's error, or after the deadline an `UnreachableError` with `aborted` false
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
