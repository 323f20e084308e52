/** Longest wait for the connection to close after the event stream has ended. */
const AFTER_END_MS = 500;

/**
 * Yields chunks until the body ends. After the stream's end (`isOver`), ignores errors and waits only briefly for the
 * body's end, because some servers keep the connection open.
 *
 * @param next resolves with the next chunk, or with null at the body's end
 * @param isOver returns whether the event stream has ended
 */
export async function* streamChunks(
  next: () => Promise<Uint8Array | null>,
  isOver: () => boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timeout: Promise<null> | undefined;
  try {
    for (;;) {
      if (isOver()) timeout ??= new Promise((resolve) => (timer = setTimeout(() => resolve(null), AFTER_END_MS)));
      const chunk = timeout ? await Promise.race([next().catch(() => null), timeout]) : await next();
      if (chunk === null) return;
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a function that resolves with a body's next chunk, or with null at the end. */
export function chunkReader(reader: ReadableStreamDefaultReader<Uint8Array>): () => Promise<Uint8Array | null> {
  return async () => (await reader.read()).value ?? null;
}
