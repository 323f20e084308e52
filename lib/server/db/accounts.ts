import type { Database, Tier } from './schema';

export interface Account {
  id: number;
  label: string;
  tier: Tier;
  createdAt: number;
  /** Nano-USD. */
  balances: { diem: number; bundled: number; usd: number; x402: number };
}

/**
 * Creates an account with empty balances. Call this in a transaction, because it runs two statements. @returns the
 * account's id
 */
export async function createAccount(
  db: Database,
  { label, tier }: { label: string; tier: Tier },
  now = Date.now(),
): Promise<number> {
  const { id } = await db
    .insertInto('accounts')
    .values({ label, tier, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('meters')
    .values({ account_id: id, diem: 0, bundled: 0, usd: 0, x402: 0, minute_started_at: 0, minute_requests: 0 })
    .execute();
  return id;
}

export async function findAccount(db: Database, id: number): Promise<Account | undefined> {
  const row = await accountQuery(db).where('accounts.id', '=', id).executeTakeFirst();
  return row && toAccount(row);
}

/**
 * Locks an account until the transaction ends. Uses an update that changes no value, because SELECT … FOR UPDATE would
 * also block new rows that refer to the account.
 */
export async function lockAccount(db: Database, id: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set((row) => ({ label: row.ref('label') }))
    .where('id', '=', id)
    .execute();
}

export async function listAccounts(db: Database): Promise<Account[]> {
  return (await accountQuery(db).orderBy('accounts.id').execute()).map(toAccount);
}

function accountQuery(db: Database) {
  return db
    .selectFrom('accounts')
    .innerJoin('meters', 'meters.account_id', 'accounts.id')
    .select(['accounts.id', 'label', 'tier', 'created_at', 'diem', 'bundled', 'usd', 'x402']);
}

interface AccountRow {
  id: number;
  label: string;
  tier: Tier;
  created_at: number;
  diem: number;
  bundled: number;
  usd: number;
  x402: number;
}

function toAccount(row: AccountRow): Account {
  const { id, label, tier, created_at: createdAt, diem, bundled, usd, x402 } = row;
  return { id, label, tier, createdAt, balances: { diem, bundled, usd, x402 } };
}
