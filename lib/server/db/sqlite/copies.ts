import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type SqliteStore, claimFolder, DATABASE_FILE, openSqliteFile } from './open';
import { preparePrivateFile } from './private-file';
import { RESULT_CODE, resultCodeOf } from './store-full';
import type { Database } from '../schema';

/** Thrown if a copy is invalid, or would overwrite a file. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** Checks a database's ledger. @returns faults as sentences */
type CheckBooks = (db: Database) => Promise<string[]>;

/**
 * Copies a database to a new file, even while in use. Checks the copy's pages and ledger, and then renames it.
 * @throws CopyRefused if the file exists or the copy is damaged
 */
export async function backUp(db: Database, file: string, check: CheckBooks): Promise<void> {
  if (existsSync(file)) throw new CopyRefused(`The file ${file} already exists. Give the copy another name.`);
  const part = partOf(file);
  discardStaleParts(file);
  try {
    // SQLite treats an empty file as a new database, and keeps its file mode.
    writeFileSync(part, '', { mode: 0o600, flag: 'wx' });
    await sql`vacuum into ${part}`.execute(db);
    await prove(part, check);
    synced(part);
    renameSync(part, file);
    synced(dirname(file));
  } finally {
    discard(part);
  }
}

/**
 * Checks and migrates a copy, and replaces a data folder's database with the copy. No gateway may run on the folder.
 * Keeps the old database under another name. After an interruption, it or the copy is in place.
 * @returns the kept file or log; null if there was none
 * @throws CopyRefused, DataFolderInUse, SchemaUnknown; nothing is changed
 */
export async function restore(
  dataDir: string,
  file: string,
  check: CheckBooks,
  now = new Date(),
): Promise<string | null> {
  if (!existsSync(file)) throw new CopyRefused(`There is no file ${file}.`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const claim = claimFolder(dataDir);
  const incoming = join(dataDir, `${DATABASE_FILE}.incoming`);
  try {
    discard(incoming);
    await pipeline(createReadStream(file), createWriteStream(incoming, { mode: 0o600, flags: 'wx' }));
    await prove(incoming, check);
    synced(incoming);
    const kept = keepCurrent(dataDir, now);
    renameSync(incoming, join(dataDir, DATABASE_FILE));
    synced(dataDir);
    return kept;
  } finally {
    discard(incoming);
    claim.close();
  }
}

/** Merges the current database's log, or else moves it. Hard-links the database under a second name. */
function keepCurrent(dataDir: string, now: Date): string | null {
  const current = join(dataDir, DATABASE_FILE);
  const kept = `${current}.before-${now.toISOString().replaceAll(':', '-')}`;
  const isMerged = mergeLog(current);
  const isThere = existsSync(current);
  if (isThere) linkSync(current, kept);
  const logs = ['-wal', '-shm', '-journal'].filter((suffix) => existsSync(`${current}${suffix}`));
  for (const suffix of logs) {
    if (isMerged) rmSync(`${current}${suffix}`);
    else renameSync(`${current}${suffix}`, `${kept}${suffix}`);
  }
  if (isThere) return kept;
  return logs[0] === undefined ? null : `${kept}${logs[0]}`;
}

/** @returns false for a missing, empty or damaged file */
function mergeLog(file: string): boolean {
  // Opening an empty file would delete its log.
  if (!statSync(file, { throwIfNoEntry: false })?.size) return false;
  preparePrivateFile(file);
  const connection = new DatabaseSync(file);
  try {
    // Empties the write-ahead log, which SQLite would otherwise apply to the new database.
    connection.exec('pragma wal_checkpoint(truncate)');
  } catch (error) {
    const code = resultCodeOf(error);
    if (code === RESULT_CODE.notADatabase || code === RESULT_CODE.corrupt) return false;
    throw error;
  } finally {
    connection.close();
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new CopyRefused(
      'The write-ahead log of the current database could not be copied into it. Stop every process that uses the database, and try again.',
    );
  return true;
}

async function prove(file: string, check: CheckBooks): Promise<void> {
  let store: SqliteStore | null = null;
  try {
    store = await openSqliteFile(file);
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(store.db);
    const faults = [
      ...rows.map(({ integrity_check: found }) => found).filter((found) => found !== 'ok'),
      ...(await check(store.db)),
    ];
    // Merges the log into the file.
    store.meterConnection.exec('pragma wal_checkpoint(truncate)');
    if (faults.length > 0) throw new CopyRefused(`The copy is damaged: ${faults.slice(0, 3).join('; ')}.`);
  } catch (error) {
    if (resultCodeOf(error) === RESULT_CODE.notADatabase) throw new CopyRefused(`${file} is not a SQLite database.`);
    throw error;
  } finally {
    await store?.close();
  }
}

/** The process id in the name shows which copies dead processes left. */
function partOf(file: string): string {
  return `${file}.${process.pid}.part`;
}

const PART = /\.(?<pid>\d{1,10})\.part(?:-wal|-shm|-journal)?$/;

function discardStaleParts(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    const pid = Number(PART.exec(name)?.groups?.['pid'] ?? 0);
    if (pid > 0 && (pid === process.pid ? join(folder, name).startsWith(partOf(file)) : !runs(pid)))
      rmSync(join(folder, name), { force: true });
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function discard(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(name, { force: true });
}

function synced(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
