/** How long a connection may stay open after the end of its stream. */
const AFTER_END_MS = 500;

/**
 * Reads the chunks of a stream until its body ends, or until shortly after the stream itself has ended: some servers keep
 * the connection open. What goes wrong after the end is no error.
 * @param next resolves with the next chunk, with null at the end of the body
 * @param isOver whether the end of the stream has come by
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

/** Reads a body chunk by chunk; null at its end. */
export function chunkReader(reader: ReadableStreamDefaultReader<Uint8Array>): () => Promise<Uint8Array | null> {
  return async () => (await reader.read()).value ?? null;
}
