import { describe, test } from 'vitest';
import { chosenEntry, type Entry } from './entries';

/**
 * Registers tests whose outcome can differ between entries, for fewer entries than the file runs at: `at('fast',
 * 'next').describe(…)`. At other entries they do not exist. With CONTRACT_FULL=1 they run at every entry.
 */
export function at(...entries: [Entry, ...Entry[]]): { describe: typeof describe; test: typeof test } {
  const chosen = chosenEntry();
  return chosen === null || entries.includes(chosen) ? { describe, test } : LEFT_OUT;
}

const leftOut = Object.assign(() => undefined, { each: () => leftOut });
const LEFT_OUT = { describe: leftOut, test: leftOut } as unknown as { describe: typeof describe; test: typeof test };
