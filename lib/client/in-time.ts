/**
 * Awaits work until a timeout. Ignores a result that arrives later.
 * @param late returns the timeout's error
 * @throws the work's error, or the timeout's error
 */
export async function inTime<T>(work: Promise<T>, withinMs: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), withinMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
