import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
const PRIVATE = 0o600;
/** Private files of a data folder: database, its log and copies, lock, and secret. */
const PRIVATE_NAMES = /^(?:turnpike\.db.*|gateway\.lock.*|secret)$/;
/** Suffixes of the database's files. SQLite gives all of them the mode of the first. */
const WITH_DATABASE = ['', '-wal', '-shm', '-journal'];

/**
 * Creates a file that only its owner can read, whatever the umask. A file that SQLite creates may be readable by
 * others.
 */
export function preparePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE));
  for (const suffix of WITH_DATABASE) narrow(`${file}${suffix}`);
}

/**
 * Removes other users' access to the private files of a data folder. @returns names of the files that they could read
 */
export function narrowDataFolder(dataDir: string): string[] {
  return namesIn(dataDir).filter((name) => PRIVATE_NAMES.test(name) && narrow(join(dataDir, name)));
}

/** @returns true if other users' access was removed; false for a file that belongs to another user */
function narrow(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  // Windows has no file modes for other users.
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
