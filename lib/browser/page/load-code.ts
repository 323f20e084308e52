import { noteLoadFailure } from '@/lib/browser/connection/connection';
import { UnreachableError } from '@/lib/client';

/** Loads a part of this page's code. @throws {UnreachableError} if the code does not arrive */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    void noteLoadFailure();
    throw new UnreachableError(window.location.origin, false, { cause });
  }
}

/**
 * Runs each piece of work in its own task. A page opens with a dozen reads and loads, which would block a phone in a
 * single task (docs/decisions/console.md, 248).
 */
export const inOwnTask = createTaskQueue();

/** Creates a queue that starts each function in its own task, in order. */
export function createTaskQueue(): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  const beginNext = () => {
    // Schedules the next function first, so that an exception does not stop the queue.
    if (waiting.length > 1) setTimeout(beginNext);
    waiting.shift()?.();
  };
  return (begin) => {
    if (waiting.push(begin) === 1) setTimeout(beginNext);
  };
}
