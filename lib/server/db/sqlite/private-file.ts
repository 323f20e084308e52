import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
const PRIVATE = 0o600;
/** Files of a data folder that hold money, keys or what people asked for: the database with its log and its copies, the lock and the secret. */
const PRIVATE_NAMES = /^(?:turnpike\.db.*|gateway\.lock.*|secret)$/;
/** SQLite gives its log and its shared memory the mode of the database. */
const WITH_DATABASE = ['', '-wal', '-shm', '-journal'];

/** Makes a file that SQLite is to open its owner's alone, whatever the folder and the umask: SQLite itself would let others read it. */
export function preparePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE));
  for (const suffix of WITH_DATABASE) narrow(`${file}${suffix}`);
}

/** Takes private files of a data folder away from others. @returns the names of those that they could read */
export function narrowDataFolder(dataDir: string): string[] {
  return namesIn(dataDir).filter((name) => PRIVATE_NAMES.test(name) && narrow(join(dataDir, name)));
}

/** @returns whether others could read or write it, and cannot now; not where it is another user's */
function narrow(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  // Windows has no such modes.
  if (!facts?.isFile() || (facts.mode & OTHERS) === 0 || process.platform === 'win32') return false;
  try {
    chmodSync(file, PRIVATE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
