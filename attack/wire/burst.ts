/** Maximum number of parallel requests, so that the sender leaves processor time to the gateway. */
export const CONCURRENCY = 16;

/** Runs `count` tasks, `concurrency` at a time. @returns their results, in order */
export async function burst<Result>(
  count: number,
  run: (index: number) => Promise<Result>,
  concurrency = CONCURRENCY,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await run(index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
  return results;
}

/** Returns how often each value occurs, such as `401 × 30, 429 × 10`. */
export function counted(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
    .map(([value, count]) => `${value} × ${count}`)
    .join(', ');
}
