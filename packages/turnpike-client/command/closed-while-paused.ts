/**
 * Returns whether an error comes from a bug in undici before 8.6 (nodejs/undici#5360). A socket listener throws if a
 * server closes the connection before the client has read the answer. No caller can catch the error, which is harmless:
 * the client still reads the whole answer.
 */
export function isClosedWhilePaused(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_ASSERTION' &&
    /\bParser\.finish\b.*(undici|client-h1)/.test(error.stack ?? '')
  );
}
