import { UnreachableError } from './gateway-error';

/**
 * Makes a call that ends when the caller gives up, and after so much time.
 * @throws what the call throws; where time has passed, `UnreachableError` that was not aborted: nobody gave up
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
