import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openSqlite } from '@/lib/server/db/sqlite/open';
import { PARENT } from './temp-folder';

/** The file of an empty database with the schema of today, migrated once for all tests of a worker. */
let migrated: Promise<Buffer> | null = null;

/** Puts a migrated empty database into a data folder that has none, where migrating it would take longer than most tests. */
export async function provideMigrated(dataDir: string): Promise<void> {
  migrated ??= migrate();
  const [file, bytes] = [join(dataDir, DATABASE_FILE), await migrated];
  // A folder that is yet to be made is the product's to make.
  if (existsSync(dataDir) && !existsSync(file)) writeFileSync(file, bytes);
}

async function migrate(): Promise<Buffer> {
  const folder = mkdtempSync(join(PARENT, 'turnpike-migrated-'));
  try {
    const store = await openSqlite(folder, { exclusive: false });
    // Whole in one file, without a log beside it.
    store.meterConnection.pragma('wal_checkpoint(TRUNCATE)');
    await store.close();
    return readFileSync(join(folder, DATABASE_FILE));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
