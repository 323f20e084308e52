import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { insertApiKey, newApiKeySecret } from '@/lib/server/db/api-keys';
import { DATABASE_FILE, openSqlite } from '@/lib/server/db/sqlite/open';
import { fillLedger, type GrownLedger } from './growth-ledger';

const DAY_MS = 86_400_000;
const PRICE_NANO_USD = 10;
const UNITS = 20;

export interface LedgerState {
  rows: number;
  archived: number;
  oldestAt: number | null;
  databaseBytes: number;
}

/** Fills a data folder with charges of staff callers. @returns a key of each caller */
export async function fillBooks(
  folder: string,
  { accounts, days, chargesPerDay, start }: GrownLedger,
): Promise<string[]> {
  const store = await openSqlite(folder, { exclusive: false });
  await store.close();
  const file = join(folder, DATABASE_FILE);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  for (const setting of [
    'journal_mode = off',
    'synchronous = off',
    'locking_mode = exclusive',
    'cache_size = -1000000',
  ])
    database.exec(`pragma ${setting}`);
  fillLedger(database, { accounts, active: accounts, days, chargesPerDay, payments: 0, videos: 0, start });
  sumCharges(database, { accounts, days, chargesPerDay, start });
  database.exec(`update accounts set tier = 'staff'`);
  database.close();
  flush(file);
  const keys = Array.from({ length: accounts }, newApiKeySecret);
  const { db, close } = await openSqlite(folder, { exclusive: false });
  try {
    await db.transaction().execute(async (transaction) => {
      for (const [index, key] of keys.entries())
        await insertApiKey(transaction, key, {
          accountId: index + 1,
          type: 'INFERENCE',
          description: 'bench',
          expiresAt: null,
          limitPeriod: 'LIFETIME',
          limitUsdNano: null,
          limitDiemNano: null,
        });
    });
  } finally {
    await close();
  }
  return keys;
}

function sumCharges(
  database: DatabaseSync,
  { accounts, days, chargesPerDay, start }: Pick<GrownLedger, 'accounts' | 'days' | 'chargesPerDay' | 'start'>,
): void {
  const perDay = accounts * chargesPerDay;
  for (let day = 0; day < days; day++) {
    const from = start + day * DAY_MS;
    const spent = PRICE_NANO_USD * chargesPerDay;
    database.exec(`insert into charge_days (day, account_id, api_key_id, resource, calls, units, diem, bundled, usd, x402, last_at)
      select ${from / DAY_MS}, id, 0, 'rpc/ethereum-mainnet', ${chargesPerDay}, ${chargesPerDay * UNITS}, 0, 0, ${spent}, 0,
        ${from} + cast((${perDay - accounts} + id - 1) * ${DAY_MS - 1} / ${perDay} as integer) from accounts`);
    database.exec(`insert into ledger_days (day, writer, calls, charged, paid_in, withdrawn)
      values (${from / DAY_MS}, 0, ${perDay}, ${spent * accounts}, 0, 0)`);
  }
}

export function flush(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

export function readState(folder: string): LedgerState {
  const file = join(folder, DATABASE_FILE);
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  try {
    const one = (query: string): Record<string, number | null> =>
      (database.prepare(query).get() ?? {}) as Record<string, number | null>;
    const archives = one(
      'select coalesce(sum(archived_rows), 0) as archived, coalesce(sum(daily_rows), 0) as daily from ledger_archives',
    );
    const last = one('select max(id) as id from ledger_rows');
    // Ids are in chronological order, and few daily rows precede the oldest row that is not archived.
    const oldest = one(
      'select created_at from ledger_rows where kind_number = 0 and archive_id is null order by id limit 1',
    );
    return {
      // A daily row keeps the id of one of the rows that it replaces.
      rows: (last['id'] ?? 0) - (archives['archived'] ?? 0) + (archives['daily'] ?? 0),
      archived: archives['archived'] ?? 0,
      oldestAt: oldest['created_at'] ?? null,
      databaseBytes: sizeOf(file) + sizeOf(`${file}-wal`),
    };
  } finally {
    database.close();
  }
}

export function archiveBytes(folder: string): number {
  const archives = join(folder, 'archive');
  try {
    return readdirSync(archives).reduce((sum, name) => sum + sizeOf(join(archives, name)), 0);
  } catch {
    return 0;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
