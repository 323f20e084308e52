export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Awaits a promise up to a timeout. @throws {TimeoutError} */
export function withinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError('It took too long.')), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
