import { sql } from 'kysely';
import { lockAccount } from './accounts';
import { isPostgres } from './is-postgres';
import { erasedIdentity, OPEN_STATES } from './payments';
import { type Database, POTS, type Pot } from './schema';
import { OPEN_WITHDRAWALS } from './withdrawals';

/** Thrown if an account cannot be erased now. The message says what to do. */
export class ErasureRefused extends Error {
  override readonly name = 'ErasureRefused';
}

/** Money and work that would be lost with the account. */
interface Remaining {
  /** Nano-USD. */
  pots: Record<Pot, number>;
  openPayments: number;
  openVideos: number;
  openWithdrawals: number;
  runningCalls: number;
}

export const ERASED = 'erased';

export async function remainingOf(db: Database, accountId: number): Promise<Remaining> {
  const count = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number | string }> }): Promise<number> =>
    Number((await query.executeTakeFirstOrThrow()).count);
  const meter = await db
    .selectFrom('meters')
    .select([...POTS])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!meter) throw new ErasureRefused(`There is no account ${accountId}.`);
  const wallets = db.selectFrom('wallets').select('address').where('account_id', '=', accountId);
  const openPayments = await count(
    db
      .selectFrom('payments')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('payer', 'in', wallets)
      .where('state', 'in', OPEN_STATES),
  );
  const openVideos = await count(
    db
      .selectFrom('video_requests')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('state', 'in', ['UNPAID', 'QUEUED', 'PROCESSING']),
  );
  const openWithdrawals = await count(
    db
      .selectFrom('withdrawals')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('state', 'in', OPEN_WITHDRAWALS),
  );
  const running = isPostgres(db) ? sql`reservations` : sql`running_charges`;
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${running} where account_id = ${accountId}`.execute(db);
  return { pots: meter, openPayments, openVideos, openWithdrawals, runningCalls: Number(rows[0]?.count ?? 0) };
}

/**
 * Erases an account's identity and requests in one transaction: wallet, label, keys, stored answers, prompts and the
 * signed content of payments. Ledger, allocation and payment rows stay, but no longer identify an owner. A payment's
 * row keeps a hash of its identity, which prevents a second credit.
 * @param forfeit true to give up balances and undecided payments
 * @returns balances and work that were given up
 * @throws ErasureRefused; nothing is changed
 */
export async function eraseAccount(
  db: Database,
  accountId: number,
  { forfeit }: { forfeit: boolean },
  now = Date.now(),
): Promise<Remaining> {
  // Without secure_delete, SQLite would leave deleted data in the pages of its file.
  if (!isPostgres(db)) await sql`pragma secure_delete = on`.execute(db);
  const remaining = await db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const left = await remainingOf(transaction, accountId);
    refuse(accountId, left, forfeit);
    await forfeitPots(transaction, accountId, left.pots, now);
    await erasePayments(transaction, accountId, now);
    await eraseWithdrawals(transaction, accountId);
    await eraseVideos(transaction, accountId, now);
    await eraseKeys(transaction, accountId, now);
    for (const table of ['idempotency_records', 'idempotency_sums', 'credit_minutes'] as const)
      await transaction.deleteFrom(table).where('account_id', '=', accountId).execute();
    await transaction
      .updateTable('allocations')
      .set({ staked: '0', pool: '0' })
      .where('account_id', '=', accountId)
      .execute();
    await transaction.deleteFrom('wallets').where('account_id', '=', accountId).execute();
    await transaction.updateTable('accounts').set({ label: ERASED }).where('id', '=', accountId).execute();
    for (const table of ['requests', 'receipts'] as const)
      await transaction.deleteFrom(table).where('account_id', '=', accountId).execute();
    return left;
  });
  if (!isPostgres(db)) await sql`pragma wal_checkpoint(truncate)`.execute(db);
  return remaining;
}

function refuse(
  accountId: number,
  { pots, openPayments, openVideos, openWithdrawals, runningCalls }: Remaining,
  forfeit: boolean,
): void {
  if (runningCalls > 0)
    throw new ErasureRefused(
      `Account ${accountId} has ${runningCalls} running calls. Revoke its keys, and try again when the calls have ended.`,
    );
  if (openVideos > 0)
    throw new ErasureRefused(
      `Account ${accountId} has ${openVideos} unfinished videos, which are refunded if they fail. Try again when they are finished.`,
    );
  if (openWithdrawals > 0)
    throw new ErasureRefused(
      `Account ${accountId} has ${openWithdrawals} pending withdrawals, which are credited back if they fail. Try again when they have ended.`,
    );
  if (forfeit) return;
  const money = pots.usd + pots.bundled + pots.x402;
  if (money > 0)
    throw new ErasureRefused(
      `Account ${accountId} still has money: ${money} nano-USD. Pay the money back to the account's owner, or erase it with --forfeit.`,
    );
  if (openPayments > 0)
    throw new ErasureRefused(
      `Account ${accountId} has ${openPayments} pending payments. Try again when they are credited or failed, or give them up with --forfeit.`,
    );
}

async function forfeitPots(db: Database, accountId: number, pots: Record<Pot, number>, now: number): Promise<void> {
  for (const pot of POTS) {
    const amount = pots[pot];
    if (amount === 0) continue;
    const { numUpdatedRows } = await db
      .updateTable('meters')
      .set({ [pot]: 0, ...(pot === 'diem' && { diem_carried: 0 }) })
      .where('account_id', '=', accountId)
      .where(pot, '=', amount)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n)
      throw new ErasureRefused(`Account ${accountId} was charged during the erasure. Revoke its keys and try again.`);
    await db
      .insertInto('ledger')
      .values({
        account_id: accountId,
        pot,
        kind: 'EXPIRY',
        amount: -amount,
        balance_after: 0,
        api_key_id: null,
        resource: 'forfeit',
        detail: 'account erased',
        units: 0,
        request_id: '',
        created_at: now,
      })
      .execute();
  }
}

async function erasePayments(db: Database, accountId: number, now: number): Promise<void> {
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'identity', 'state'])
    .where((row) =>
      row.or([
        row('account_id', '=', accountId),
        row('payer', 'in', row.selectFrom('wallets').select('address').where('account_id', '=', accountId)),
      ]),
    )
    .execute();
  for (const { id, identity, state } of payments) {
    await db
      .updateTable('payments')
      .set({
        identity: erasedIdentity(identity),
        payer: ERASED,
        content: '{}',
        transaction_id: null,
        client: null,
        identifier: null,
        waits_for: null,
        ...(state === 'credited'
          ? { error: null }
          : { state: 'failed' as const, error: 'The account was erased.', next_look_at: now }),
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Erases the wallets of an account's ended withdrawals. Amounts stay; the ledger contains them anyway. */
async function eraseWithdrawals(db: Database, accountId: number): Promise<void> {
  const ended = await db
    .selectFrom('withdrawals')
    .select(['id', 'identity'])
    .where('account_id', '=', accountId)
    .execute();
  for (const { id, identity } of ended)
    await db
      .updateTable('withdrawals')
      .set({
        identity: erasedIdentity(identity),
        wallet: ERASED,
        statement: '{}',
        content: '{}',
        transaction_id: null,
        error: null,
        waits_for: null,
      })
      .where('id', '=', id)
      .execute();
}

/** Marks an account's videos as deleted, so that the gateway deletes their media. */
async function eraseVideos(db: Database, accountId: number, now: number): Promise<void> {
  await db
    .updateTable('video_requests')
    .set((row) => ({
      state: 'DELETED' as const,
      content: '{}',
      error: null,
      ended_at: row.fn.coalesce('ended_at', row.val(now)),
    }))
    .where('account_id', '=', accountId)
    .execute();
}

/** Erases the data of an account's keys. Their ids stay, because the ledger refers to them. */
async function eraseKeys(db: Database, accountId: number, now: number): Promise<void> {
  const keys = await db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute();
  for (const { id } of keys) {
    for (const table of ['key_alerts', 'key_spend'] as const)
      await db.deleteFrom(table).where('api_key_id', '=', id).execute();
    await db
      .updateTable('api_keys')
      .set((row) => ({
        hash: `${ERASED} ${id}`,
        last6: '',
        description: '',
        allow: null,
        alert_at: null,
        webhook_url: null,
        revoked_at: row.fn.coalesce('revoked_at', row.val(now)),
      }))
      .where('id', '=', id)
      .execute();
  }
}
