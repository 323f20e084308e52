import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { Kysely } from 'kysely';
import { migrate } from '../migrate';
import type { Database, Schema } from '../schema';
import { preparePrivateFile } from './private-file';
import { startCheckpoints } from './checkpoint-thread';
import { CommitCounter } from './commit-counter';
import { sqliteDialect } from './dialect';

/** In the data folder. */
export const DATABASE_FILE = 'turnpike.db';

/** How long a connection waits for another process's write before it fails. */
const BUSY_TIMEOUT_MS = 5_000;

/** A SQLite database of one data folder. */
export interface SqliteStore {
  /** Ordinary queries, each on disk before it returns. */
  db: Database;
  /** A connection for the meter, whose commits survive a crash of the process and are synced at checkpoints. */
  meterConnection: Sqlite.Database;
  commits: CommitCounter;
  close(): Promise<void>;
}

/** A data folder that another gateway process holds. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';

  constructor(dataDir: string) {
    super(`Another gateway runs on the data folder ${dataDir}. Stop it, or set TURNPIKE_DATA_DIR to another folder.`);
  }
}

/**
 * Opens `turnpike.db` in the data folder, creating and migrating it as needed.
 * @param exclusive claims the folder for this process, as a gateway must, since reservations live in its memory;
 *   commands that only grant, mint or list share it with a running gateway.
 * @param checkpointThread whether the process that claims it checkpoints in a thread of its own, where there is one.
 * @throws DataFolderInUse, SchemaUnknown, or what kept the database from being opened; nothing stays open or claimed then.
 */
export async function openSqlite(
  dataDir: string,
  { exclusive, checkpointThread = true }: { exclusive: boolean; checkpointThread?: boolean },
): Promise<SqliteStore> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const claim = exclusive ? claimFolder(dataDir) : null;
  try {
    return await openClaimed(join(dataDir, DATABASE_FILE), claim, checkpointThread);
  } catch (error) {
    claim?.close();
    throw error;
  }
}

/** Opens a database file, migrating it as needed, such as a copy that is looked at. @throws SchemaUnknown, or what kept it from being opened */
export function openSqliteFile(file: string): Promise<SqliteStore> {
  return openClaimed(file, null, false);
}

async function openClaimed(
  file: string,
  claim: Sqlite.Database | null,
  checkpointThread: boolean,
): Promise<SqliteStore> {
  preparePrivateFile(file);
  const connection = connect(file, 'FULL');
  const db = new Kysely<Schema>({ dialect: sqliteDialect(connection) });
  try {
    await migrate(db, 'sqlite');
    const meterConnection = connect(file, 'NORMAL');
    // The meter writes only ids that it has read; checking them again costs a look-up for each row.
    meterConnection.pragma('foreign_keys = OFF');
    const stopCheckpoints = claim && checkpointThread ? await startCheckpoints(file, meterConnection) : null;
    return {
      db,
      meterConnection,
      commits: new CommitCounter(file),
      close: async () => {
        await stopCheckpoints?.();
        meterConnection.close();
        await db.destroy();
        claim?.close();
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connect(file: string, synchronous: 'FULL' | 'NORMAL'): Sqlite.Database {
  const connection = new Sqlite(file);
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma('foreign_keys = ON');
  // Without it, a row that REPLACE puts out of the way is deleted without its trigger: the ledger would allow it.
  connection.pragma('recursive_triggers = ON');
  return connection;
}

/**
 * Claims a data folder until what it returns is closed. The lock is an open transaction on a database of its own: the
 * system frees it however the process ends.
 * @throws DataFolderInUse
 */
export function claimFolder(dataDir: string): Sqlite.Database {
  const file = join(dataDir, 'gateway.lock');
  preparePrivateFile(file);
  const lock = new Sqlite(file);
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') throw new DataFolderInUse(dataDir);
    throw error;
  }
  return lock;
}
