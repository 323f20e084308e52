/** What waits for a task of its own, in the order in which it came. */
const waiting: (() => void)[] = [];

/**
 * Begins something in a task of its own, soon. A page that opens asks a dozen questions and loads a handful of parts:
 * at once, right after it has come alive, that holds a phone for a tenth of a second in which it answers nobody
 * (docs/decisions.md, 248).
 */
export function inOwnTask(begin: () => void): void {
  if (waiting.push(begin) === 1) setTimeout(beginNext);
}

function beginNext(): void {
  // Set before, so that nothing stops the rest that one of them throws.
  if (waiting.length > 1) setTimeout(beginNext);
  waiting.shift()?.();
}
