/**
 * Whether an exception is one that Node's HTTP client throws from a socket's listener: a server closed the connection
 * before its answer was read (nodejs/undici#5360, in every Node whose undici is older than 8.6). No caller can catch
 * it, and it loses nothing: the answer is read to its end all the same.
 */
export function isClosedWhilePaused(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_ASSERTION' &&
    /\bParser\.finish\b.*(undici|client-h1)/.test(error.stack ?? '')
  );
}
