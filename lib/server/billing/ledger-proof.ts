import { sql } from 'kysely';
import { type Database, POTS } from '../db/schema';
import type { LedgerProof, LedgerScope } from './ledger-scope';

const NAME = 'ledger-proof';
/** Rows per transaction. On SQLite, a charge waits for a running transaction. */
const ROWS_AT_ONCE = 500;
/**
 * Rows younger than this are not part of the ledger-wide proof. On Postgres, ids do not follow the order of commits, so
 * a row with a smaller id may appear later. Transactions and clock differences are shorter than this time.
 */
const SETTLED_AFTER_MS = 10 * 60_000;

type ProvenAccount = { account_id: number; through_id: number } & Record<(typeof POTS)[number], number>;

/** Proof from a check. It is saved after the check has closed its snapshot. */
export interface FoundProof extends LedgerProof {
  accounts: ProvenAccount[];
}

export async function lastProof(db: Database): Promise<LedgerProof | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  const [throughId, archiveId, at] = (row?.value ?? '').split(' ').map(Number);
  if (throughId === undefined || archiveId === undefined || at === undefined) return null;
  return [throughId, archiveId, at].every(Number.isSafeInteger) ? { throughId, archiveId, at } : null;
}

/** Returns up to `limit` accounts without proof. */
export async function unprovenAccounts(db: Database, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('ledger_proofs', 'ledger_proofs.account_id', 'accounts.id')
    .select('accounts.id')
    .where('ledger_proofs.account_id', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the proof to save if the check finds no faults. Call this in the check's snapshot. */
export async function findProof(db: Database, { since, rows, proofs }: LedgerScope, at: number): Promise<FoundProof> {
  const { rows: accounts } = await sql<ProvenAccount>`
    select m.account_id, coalesce(f.through_id, 0) as through_id, m.diem, m.bundled, m.usd, m.x402
    from meters m left join (select account_id, max(id) as through_id from ${rows} as fresh group by account_id) as f on f.account_id = m.account_id
      left join ${proofs} p on p.account_id = m.account_id
    where f.account_id is not null or p.account_id is null`.execute(db);
  const newest = await db
    .selectFrom('ledger')
    .select('id')
    .where('created_at', '<=', at - SETTLED_AFTER_MS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // Skips recent archives, which may be incomplete.
  const archive = await db
    .selectFrom('ledger_archives')
    .select('id')
    .where('created_at', '<=', at - SETTLED_AFTER_MS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const throughId = Math.max(newest?.id ?? 0, since?.throughId ?? 0);
  return { throughId, archiveId: Math.max(archive?.id ?? 0, since?.archiveId ?? 0), at, accounts };
}

/**
 * Saves the proof of each account first and the ledger-wide proof last. After a crash in between, the next check only
 * repeats work.
 */
export async function saveProof(db: Database, { throughId, archiveId, at, accounts }: FoundProof): Promise<void> {
  for (let start = 0; start < accounts.length; start += ROWS_AT_ONCE)
    await db
      .insertInto('ledger_proofs')
      .values(accounts.slice(start, start + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet((row) =>
            Object.fromEntries((['through_id', ...POTS] as const).map((name) => [name, row.ref(`excluded.${name}`)])),
          )
          .whereRef('excluded.through_id', '>', 'ledger_proofs.through_id'),
      )
      .execute();
  const value = `${throughId} ${archiveId} ${at}`;
  await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Deletes all proofs, so that the next check reads the whole ledger. Call this after a check that found a fault. */
export function dropProof(db: Database): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('installation').where('name', '=', NAME).execute();
    await transaction.deleteFrom('ledger_proofs').execute();
  });
}

/**
 * Deletes the proof of each account whose archived rows include unproven ones. The account's daily rows may then
 * combine proven and unproven rows. Call this in the archive's transaction.
 * @param lastIds id of the newest replaced row, by account
 */
export async function forgetProofs(db: Database, lastIds: ReadonlyMap<number, number>): Promise<void> {
  const accounts = [...lastIds.keys()];
  for (let start = 0; start < accounts.length; start += ROWS_AT_ONCE) {
    const proofs = await db
      .selectFrom('ledger_proofs')
      .select(['account_id', 'through_id'])
      .where('account_id', 'in', accounts.slice(start, start + ROWS_AT_ONCE))
      .execute();
    for (const { account_id: accountId, through_id: throughId } of proofs)
      if (throughId < (lastIds.get(accountId) ?? 0))
        await db.deleteFrom('ledger_proofs').where('account_id', '=', accountId).execute();
  }
}
