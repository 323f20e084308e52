import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { Kysely } from 'kysely';
import { migrate } from '../migrate';
import type { Database, Schema } from '../schema';
import { sqliteDialect } from './dialect';

/** How long a connection waits for another process's write before it fails. */
const BUSY_TIMEOUT_MS = 5_000;

/** A SQLite database of one data folder. */
export interface SqliteStore {
  /** Ordinary queries, each on disk before it returns. */
  db: Database;
  /** A connection for the meter, whose commits survive a crash of the process and are synced at checkpoints. */
  meterConnection: Sqlite.Database;
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
 * @throws DataFolderInUse
 */
export async function openSqlite(dataDir: string, { exclusive }: { exclusive: boolean }): Promise<SqliteStore> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const claim = exclusive ? claimFolder(dataDir) : null;
  const file = join(dataDir, 'turnpike.db');
  const connection = connect(file, 'FULL');
  const db = new Kysely<Schema>({ dialect: sqliteDialect(connection) });
  await migrate(db);
  const meterConnection = connect(file, 'NORMAL');
  return {
    db,
    meterConnection,
    close: async () => {
      meterConnection.close();
      await db.destroy();
      claim?.close();
    },
  };
}

function connect(file: string, synchronous: 'FULL' | 'NORMAL'): Sqlite.Database {
  const connection = new Sqlite(file);
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma('foreign_keys = ON');
  return connection;
}

/** The lock is an open transaction on a database of its own: the system frees it however the process ends. */
function claimFolder(dataDir: string): Sqlite.Database {
  const lock = new Sqlite(join(dataDir, 'gateway.lock'));
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') throw new DataFolderInUse(dataDir);
    throw error;
  }
  return lock;
}
