import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'libsql';
import { sql } from 'kysely';
import { type SqliteStore, claimFolder, DATABASE_FILE, openSqliteFile } from './open';
import { preparePrivateFile } from './private-file';
import type { Database } from '../schema';

/** A copy of a database that is no copy, or would overwrite something, in a sentence. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** Looks whether the books of a database are whole. @returns what is wrong, a sentence each. */
export type CheckBooks = (db: Database) => Promise<string[]>;

/**
 * Writes a consistent copy of a database that is in use into a new file, checked before it has its name: pages and books.
 * One that breaks off leaves nothing under that name.
 * @throws CopyRefused where there is such a file already, or the copy is not sound.
 */
export async function backUp(db: Database, file: string, check: CheckBooks): Promise<void> {
  if (existsSync(file)) throw new CopyRefused(`There is a file ${file} already. Give the copy another name.`);
  const part = partOf(file);
  discardStaleParts(file);
  try {
    // SQLite takes an empty file for none, and keeps its mode.
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
 * Puts a copy in the place of the database of a data folder, after it was checked and migrated. No gateway may run on
 * the folder. What was there is kept beside it. Whenever it breaks off, one of both is in its place, whole.
 * @returns the file that has what was there; null where nothing was.
 * @throws CopyRefused, DataFolderInUse, SchemaUnknown; nothing is changed then.
 */
export async function restore(
  dataDir: string,
  file: string,
  check: CheckBooks,
  now = new Date(),
): Promise<string | null> {
  if (!existsSync(file)) throw new CopyRefused(`There is no file ${file}.`);
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

/** A second name for the database that is there, with all that its log had. */
function keepCurrent(dataDir: string, now: Date): string | null {
  const current = join(dataDir, DATABASE_FILE);
  if (!existsSync(current)) return null;
  preparePrivateFile(current);
  const connection = new Sqlite(current);
  try {
    // A log that stayed would be taken for the log of what comes in its place.
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
  if ((statSync(`${current}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new CopyRefused(
      'The write-ahead log of the database that is there could not be written back. End whatever uses it, and try again.',
    );
  const kept = `${current}.before-${now.toISOString().replaceAll(':', '-')}`;
  linkSync(current, kept);
  for (const suffix of ['-wal', '-shm']) rmSync(`${current}${suffix}`, { force: true });
  return kept;
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
    // All of it is in the file then, which is moved without its log.
    store.meterConnection.pragma('wal_checkpoint(TRUNCATE)');
    if (faults.length > 0) throw new CopyRefused(`The copy is not sound: ${faults.slice(0, 3).join('; ')}.`);
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_NOTADB') throw new CopyRefused(`${file} is no database.`);
    throw error;
  } finally {
    await store?.close();
  }
}

/** Where a copy grows. It names its process, so that what a killed one left is told from what grows now. */
function partOf(file: string): string {
  return `${file}.${process.pid}.part`;
}

const PART = /\.(?<pid>\d{1,10})\.part(?:-wal|-shm|-journal)?$/;

/** Removes parts of copies in the same folder whose process is no more. */
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

/** On disk when it returns. */
function synced(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
