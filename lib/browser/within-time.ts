/** Something did not come in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** What comes of a promise, unless it takes longer. @throws {TimeoutError} */
export function withinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError('It took too long.')), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
