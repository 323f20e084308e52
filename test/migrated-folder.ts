import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openSqlite } from '@/lib/server/db/sqlite/open';
import { PARENT } from './temp-folder';

/** File of an empty database with the current schema. Migrated once per worker. */
let migrated: Promise<Buffer> | null = null;

/**
 * Copies a migrated empty database into a data folder that has none, because a migration takes longer than most tests.
 */
export async function provideMigrated(dataDir: string): Promise<void> {
  migrated ??= migrate();
  const [file, bytes] = [join(dataDir, DATABASE_FILE), await migrated];
  // Does not create the folder, because the product must create it.
  if (existsSync(dataDir) && !existsSync(file)) writeFileSync(file, bytes);
}

async function migrate(): Promise<Buffer> {
  const folder = mkdtempSync(join(PARENT, 'turnpike-migrated-'));
  try {
    const store = await openSqlite(folder, { exclusive: false });
    // Moves the write-ahead log into the database file, so that one file suffices.
    store.meterConnection.exec('pragma wal_checkpoint(TRUNCATE)');
    await store.close();
    return readFileSync(join(folder, DATABASE_FILE));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
