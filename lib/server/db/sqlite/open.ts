import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { isOfEarlierRelease, migrate, migrateEmpty, SchemaUnknown } from '../migrate';
import type { Database, Schema } from '../schema';
import { preparePrivateFile } from './private-file';
import { startCheckpoints } from './checkpoint-thread';
import { CommitCounter } from './commit-counter';
import { sqliteDialect } from './dialect';
import { RESULT_CODE, resultCodeOf } from './store-full';

export const DATABASE_FILE = 'turnpike.db';

/** Longest wait for another connection's write lock. */
export const BUSY_TIMEOUT_MS = 5_000;

const OTHER_MIGRATION_WAIT_MS = 2_000;

export interface SqliteStore {
  /** Connection for ordinary queries. A write is on disk when its promise resolves. */
  db: Database;
  /** Connection for the meter. Commits survive a process crash, but reach the disk only at checkpoints. */
  meterConnection: DatabaseSync;
  commits: CommitCounter;
  /** Closes both connections and releases the data folder. A second call waits for the first. */
  close(): Promise<void>;
}

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';

  constructor(dataDir: string) {
    super(
      `Another gateway is running on the data folder ${dataDir}. Stop it, or set TURNPIKE_DATA_DIR to another folder.`,
    );
  }
}

/**
 * Opens `turnpike.db` in the data folder, created and migrated if necessary.
 * @param exclusive true for a gateway, which claims the folder for its reservations in memory; false for a command,
 * which shares it
 * @param upgrades false to refuse a database of an earlier release
 * @param checkpointThread true to make a gateway's checkpoints in a thread, if possible
 * @throws DataFolderInUse, SchemaUnknown, or SQLite's error; nothing stays open or claimed
 */
export async function openSqlite(
  dataDir: string,
  {
    exclusive,
    checkpointThread = true,
    upgrades = true,
  }: { exclusive: boolean; checkpointThread?: boolean; upgrades?: boolean },
): Promise<SqliteStore> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const claim = exclusive ? claimFolder(dataDir) : null;
  try {
    return await openClaimed(join(dataDir, DATABASE_FILE), claim, checkpointThread, async (db) => {
      if (!upgrades) await migrateEmpty(db, 'sqlite');
      else if (claim === null && (await isOfEarlierRelease(db, 'sqlite'))) await migrateUnused(db, dataDir);
      else await migrate(db, 'sqlite');
    });
  } catch (error) {
    claim?.close();
    throw error;
  }
}

/** Opens and migrates a database file, such as a copy. @throws SchemaUnknown, or SQLite's error */
export function openSqliteFile(file: string): Promise<SqliteStore> {
  return openClaimed(file, null, false, (db) => migrate(db, 'sqlite'));
}

/** @throws SchemaUnknown if a gateway uses the folder */
async function migrateUnused(db: Database, dataDir: string): Promise<void> {
  let claim: DatabaseSync;
  try {
    claim = claimFolder(dataDir, OTHER_MIGRATION_WAIT_MS);
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    throw new SchemaUnknown(
      `The database is from an earlier release, and a gateway uses its data folder ${dataDir}. Stop the gateway before this release migrates the database. Nothing was changed.`,
    );
  }
  try {
    await migrate(db, 'sqlite');
  } finally {
    claim.close();
  }
}

async function openClaimed(
  file: string,
  claim: DatabaseSync | null,
  checkpointThread: boolean,
  prepare: (db: Database) => Promise<void>,
): Promise<SqliteStore> {
  preparePrivateFile(file);
  const connection = connect(file, 'FULL');
  const db = new Kysely<Schema>({ dialect: sqliteDialect(connection) });
  try {
    await prepare(db);
    const meterConnection = connect(file, 'NORMAL');
    // The meter writes only ids that it has read. A foreign-key check would cost a look-up for each row.
    meterConnection.exec('pragma foreign_keys = off');
    let closing: Promise<void> | null = null;
    const stopCheckpoints =
      claim && checkpointThread ? await startCheckpoints(file, [connection, meterConnection]) : null;
    const close = async (): Promise<void> => {
      await stopCheckpoints?.();
      meterConnection.close();
      await db.destroy();
      claim?.close();
    };
    return {
      db,
      meterConnection,
      commits: new CommitCounter(file),
      close: () => (closing ??= close()),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connect(file: string, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    connection.exec('pragma journal_mode = wal');
    connection.exec(`pragma synchronous = ${synchronous}`);
    // Makes the delete trigger run when REPLACE deletes ledger rows.
    connection.exec('pragma recursive_triggers = on');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Claims a data folder until the result is closed. The lock is a transaction on a separate database: the kernel frees
 * it however the process ends.
 * @throws DataFolderInUse
 */
export function claimFolder(dataDir: string, timeout = 0): DatabaseSync {
  const file = join(dataDir, 'gateway.lock');
  preparePrivateFile(file);
  const lock = new DatabaseSync(file, { timeout });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (resultCodeOf(error) === RESULT_CODE.busy) throw new DataFolderInUse(dataDir);
    throw error;
  }
  return lock;
}
