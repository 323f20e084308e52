/**
 * Begins something in a task of its own, soon. A page that opens asks a dozen questions and loads a handful of parts:
 * at once, right after it has come alive, that holds a phone for a tenth of a second in which it answers nobody
 * (docs/decisions.md, 248).
 */
export const inOwnTask = createTaskQueue();

/** Makes what begins one thing a task, in the order in which they come. */
export function createTaskQueue(): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  const beginNext = () => {
    // Set before, so that nothing stops the rest that one of them throws.
    if (waiting.length > 1) setTimeout(beginNext);
    waiting.shift()?.();
  };
  return (begin) => {
    if (waiting.push(begin) === 1) setTimeout(beginNext);
  };
}
