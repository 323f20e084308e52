import { describe, test } from 'vitest';
import { chosenEntry, type Entry } from './entries';

/**
 * Registers tests of a file that can come out differently at fewer entries than the file runs at:
 * `at('fast', 'next').describe(…)`. At the others they do not exist; with CONTRACT_FULL=1 they run everywhere.
 */
export function at(...entries: [Entry, ...Entry[]]): { describe: typeof describe; test: typeof test } {
  const chosen = chosenEntry();
  return chosen === null || entries.includes(chosen) ? { describe, test } : LEFT_OUT;
}

const leftOut = Object.assign(() => undefined, { each: () => leftOut });
const LEFT_OUT = { describe: leftOut, test: leftOut } as unknown as { describe: typeof describe; test: typeof test };
