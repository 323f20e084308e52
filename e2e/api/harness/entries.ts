import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Ways to start a gateway: `server.ts` on SQLite (`fast`), `next start` on SQLite, and `server.ts` on Postgres. */
export const ENTRIES = ['fast', 'next', 'postgres'] as const;
export type Entry = (typeof ENTRIES)[number];
type Declarable = Exclude<Entry, 'fast'>;

/** States whether a file's tests run at an entry, with the reason. */
export interface Declared {
  runs: boolean;
  reason: string;
}

const DECLARATION = /^ \* @(at|not) (\w+): (.*(?:\n \* {3,}\S.*)*)$/gm;
const REASON_CHARS_MIN = 20;

/**
 * Returns the entry that CONTRACT_ENTRY and CONTRACT_STORE name; null with CONTRACT_FULL=1, which runs all tests at
 * every entry.
 */
export function chosenEntry(env: Readonly<Record<string, string | undefined>> = process.env): Entry | null {
  const isPostgres = env.CONTRACT_STORE === 'postgres' || env.CONTRACT_STORE === 'partitions';
  if (env.CONTRACT_FULL === '1' || (env.CONTRACT_ENTRY === 'next' && isPostgres)) return null;
  if (env.CONTRACT_ENTRY === 'next') return 'next';
  return isPostgres ? 'postgres' : 'fast';
}

/**
 * Reads the comment at the top of a test file. It has a line `@at ENTRY: why` or `@not ENTRY: why not` for each entry
 * except the fast one, at which all tests run. Continuation lines are indented.
 * @throws Error that names the file and the missing line
 */
export function declaredEntries(file: string, source: string): Record<Declarable, Declared> {
  const head = source.slice(0, source.indexOf('*/') + 1);
  const found = [...head.matchAll(DECLARATION)].map(([, verb, entry, reason = '']) => ({
    verb,
    entry,
    reason: reason.replace(/\n \* +/g, ' '),
  }));
  const of = (entry: Declarable): Declared => {
    const [declared, another] = found.filter((one) => one.entry === entry);
    if (!declared || another)
      throw new Error(
        `${file} has to begin with a comment that says once, in "@at ${entry}: why" or "@not ${entry}: why not", whether its tests run there.`,
      );
    if (declared.reason.length < REASON_CHARS_MIN) throw new Error(`${file} does not say why for ${entry}.`);
    return { runs: declared.verb === 'at', reason: declared.reason };
  };
  const unknown = found.find(({ entry }) => entry !== 'next' && entry !== 'postgres');
  if (unknown) throw new Error(`${file} names the entry "${unknown.entry}", about which there is nothing to say.`);
  return { next: of('next'), postgres: of('postgres') };
}

/**
 * Returns the test files of a folder that run at an entry (null for all files), as paths from `root`.
 * @throws Error for a file without the lines
 */
export function filesAt(entry: Entry | null, root: string, folder: string): string[] {
  const files = readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .map((file) => path.posix.join(folder, file));
  return files.filter((file) => {
    const declared = declaredEntries(file, readFileSync(path.join(root, file), 'utf8'));
    return entry === null || entry === 'fast' || declared[entry].runs;
  });
}
