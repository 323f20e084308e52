import { randomBytes } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import { creditWithin } from './credits';
import { isPostgres } from './is-postgres';
import { addToDayTotals } from './ledger-days';
import { erasedIdentity, type PaymentRoute } from './payments';
import type { Database, Schema, WithdrawalState } from './schema';

export type Withdrawal = Selectable<Schema['withdrawals']>;

/** States of a withdrawal whose money may still move or be credited back. */
export const OPEN_WITHDRAWALS = ['debited', 'submitted'] as const satisfies readonly WithdrawalState[];

const DAY_MS = 86_400_000;
/**
 * Row of `payment_signers` that is locked while a withdrawal is recorded. Withdrawals are thus recorded one at a time,
 * and the daily limit holds for all accounts together.
 */
const LOCK = 'withdrawals';

export type NewWithdrawal = Pick<
  Insertable<Schema['withdrawals']>,
  | 'identity'
  | 'account_id'
  | 'wallet'
  | 'network'
  | 'asset'
  | 'amount'
  | 'fee'
  | 'payout_units'
  | 'statement'
  | 'content'
  | 'from_height'
  | 'expires_at'
>;

/** Thrown if a withdrawal was neither recorded nor debited. */
export class WithdrawalRefused extends Error {
  override readonly name = 'WithdrawalRefused';

  constructor(
    readonly reason: 'balance' | 'daily-bound',
    /** Maximum amount that can be withdrawn now, in nano-USD. */
    readonly possible: number,
  ) {
    super(`The withdrawal was refused: ${reason}.`);
  }
}

/** Finds a withdrawal by its identity, even if its account was erased. */
export function findWithdrawal(db: Database, identity: string): Promise<Withdrawal | undefined> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('identity', 'in', [identity, erasedIdentity(identity)])
    .executeTakeFirst();
}

/**
 * Debits an account and records its withdrawal, in one durable transaction. Does not change a withdrawal already recorded.
 * @param dailyMax nano-USD that all withdrawals of a UTC day may debit together
 * @throws WithdrawalRefused; nothing is changed
 */
export function recordWithdrawal(
  db: Database,
  withdrawal: NewWithdrawal,
  dailyMax: number,
  now = Date.now(),
): Promise<Withdrawal> {
  return db.transaction().execute(async (transaction) => {
    await lockWithdrawals(transaction);
    const known = await findWithdrawal(transaction, withdrawal.identity);
    if (known) return known;
    const { account_id: accountId, amount } = withdrawal;
    const leftToday = dailyMax - (await withdrawnOn(transaction, now));
    if (amount > leftToday) throw new WithdrawalRefused('daily-bound', Math.max(0, leftToday));
    const balanceAfter = await debit(transaction, accountId, amount);
    // Reads the grants after locking the balance, so that every grant in the balance is seen.
    const possible = await withdrawableWithin(transaction, withdrawal, balanceAfter + amount);
    if (amount > possible) throw new WithdrawalRefused('balance', possible);
    const id = `wd_${randomBytes(16).toString('hex')}`;
    await transaction
      .insertInto('ledger')
      .values({
        account_id: accountId,
        pot: 'x402',
        kind: 'WITHDRAWAL',
        amount: -amount,
        balance_after: balanceAfter,
        api_key_id: null,
        resource: 'withdrawal',
        detail: withdrawal.network,
        units: 0,
        request_id: id,
        created_at: now,
      })
      .execute();
    await addToDayTotals(transaction, { kind: 'WITHDRAWAL', amount: -amount, at: now });
    return transaction
      .insertInto('withdrawals')
      .values({
        ...withdrawal,
        id,
        state: 'debited',
        balance_after: balanceAfter,
        transaction_id: null,
        searched_to: null,
        error: null,
        waits_for: null,
        lease_owner: null,
        tried_at: null,
        ended_at: null,
        next_look_at: now,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/**
 * Returns how many nano-USD a wallet can withdraw by one route. This is its prepaid balance minus unspent grants, but
 * at most its payments minus its withdrawals by this route. Calls spend paid-in money before grants.
 */
export async function withdrawable(
  db: Database,
  owner: PaymentRoute & { account_id: number; wallet: string },
): Promise<number> {
  const meter = await db
    .selectFrom('meters')
    .select('x402')
    .where('account_id', '=', owner.account_id)
    .executeTakeFirst();
  return meter ? withdrawableWithin(db, owner, meter.x402) : 0;
}

async function withdrawableWithin(
  db: Database,
  { account_id: accountId, wallet, network, asset }: PaymentRoute & { account_id: number; wallet: string },
  balance: number,
): Promise<number> {
  const granted = await unspentGrants(db, accountId);
  const { paid } = await db
    .selectFrom('payments')
    .select((row) => row.fn.sum<number | string | null>('amount').as('paid'))
    .where('payer', '=', wallet)
    .where('account_id', '=', accountId)
    .where('state', '=', 'credited')
    .where('network', '=', network)
    .where((row) => row(row.fn<string>('lower', ['asset']), '=', asset.toLowerCase()))
    .executeTakeFirstOrThrow();
  const { withdrawn } = await db
    .selectFrom('withdrawals')
    .select((row) => row.fn.sum<number | string | null>('amount').as('withdrawn'))
    .where('account_id', '=', accountId)
    .where('state', '<>', 'failed')
    .where('network', '=', network)
    .where((row) => row(row.fn<string>('lower', ['asset']), '=', asset.toLowerCase()))
    .executeTakeFirstOrThrow();
  return Math.max(0, Math.min(balance - granted, Number(paid ?? 0) - Number(withdrawn ?? 0)));
}

/**
 * Returns an upper bound on the unspent prepaid grants, in nano-USD. At each top-up or grant, limits the unspent part of
 * earlier grants to the balance before that row. Adds all refunds to the bound, because a refund may have restored a
 * spent grant.
 */
async function unspentGrants(db: Database, accountId: number): Promise<number> {
  const grants = await db
    .selectFrom('ledger')
    .select(['amount', 'balance_after', 'created_at as at'])
    .where('account_id', '=', accountId)
    // A literal, because SQLite uses a partial index only if the condition is known during planning.
    .where('pot', '=', sql.lit('x402'))
    .where('kind', '=', sql.lit('GRANT'))
    .execute();
  if (grants.length === 0) return 0;
  const topUps = await db
    .selectFrom('payments')
    .select(['amount', 'balance_after', 'credited_at as at'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'credited')
    .execute();
  const { refunded } = await db
    .selectFrom('video_requests')
    .select((row) => row.fn.sum<number | string | null>('refunded').as('refunded'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const credits = [
    ...topUps.map((row) => ({ ...row, isGrant: false })),
    ...grants.map((row) => ({ ...row, isGrant: true })),
  ].sort((one, other) => Number(one.at) - Number(other.at));
  let [left, granted] = [0, 0];
  for (const { amount, balance_after: after, isGrant } of credits) {
    if (after !== null) left = Math.min(left, after - amount);
    if (isGrant) [left, granted] = [left + amount, granted + amount];
  }
  return Math.min(granted, left + Number(refunded ?? 0));
}

/** @returns new balance @throws WithdrawalRefused if the balance minus the calls' reservations is too low */
async function debit(db: Database, accountId: number, amount: number): Promise<number> {
  // On SQLite, reservations are in memory. The calling code has already reserved the amount in the meter.
  const reserved = isPostgres(db) ? sql<number>`held_x402` : sql<number>`0`;
  const meter = await db
    .updateTable('meters')
    .set((row) => ({ x402: row('x402', '-', amount) }))
    .where('account_id', '=', accountId)
    .where(sql<boolean>`x402 - ${reserved} >= ${amount}`)
    .returning('x402')
    .executeTakeFirst();
  if (!meter) {
    const { possible } = await db
      .selectFrom('meters')
      .select(sql<number>`x402 - ${reserved}`.as('possible'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    throw new WithdrawalRefused('balance', Math.max(0, Number(possible)));
  }
  return Number(meter.x402);
}

async function lockWithdrawals(db: Database): Promise<void> {
  await db
    .insertInto('payment_signers')
    .values({ key: LOCK, lease_owner: null })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  await db
    .updateTable('payment_signers')
    .set((row) => ({ used_at: row.ref('used_at') }))
    .where('key', '=', LOCK)
    .execute();
}

/** Returns the nano-USD withdrawn on the UTC day of `now`, without failed withdrawals. */
async function withdrawnOn(db: Database, now: number): Promise<number> {
  const { total } = await db
    .selectFrom('withdrawals')
    .select((row) => row.fn.sum<number | string | null>('amount').as('total'))
    .where('created_at', '>=', now - (now % DAY_MS))
    .where('state', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** Returns how many base units of a token the paying wallet still owes to open withdrawals. */
export async function openUnits(db: Database, { network, asset }: PaymentRoute): Promise<bigint> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('payout_units')
    .where('state', 'in', OPEN_WITHDRAWALS)
    // A submitted transfer that waits was probably executed, or had no configured rail.
    .where((row) => row.or([row('state', '=', 'debited'), row('waits_for', 'is', null)]))
    .where('network', '=', network)
    .where((row) => row(row.fn<string>('lower', ['asset']), '=', asset.toLowerCase()))
    .execute();
  return rows.reduce((sum, { payout_units: units }) => sum + BigInt(units), 0n);
}

/** @throws Error if the withdrawal does not exist */
export function readWithdrawal(db: Database, id: string): Promise<Withdrawal> {
  return db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function listWithdrawals(
  db: Database,
  filter: { accountId?: number; id?: string; states?: readonly WithdrawalState[]; wallet?: string; limit: number },
): Promise<Withdrawal[]> {
  let query = db.selectFrom('withdrawals').selectAll();
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  if (filter.id !== undefined) query = query.where('id', '=', filter.id);
  if (filter.states) query = query.where('state', 'in', filter.states);
  if (filter.wallet !== undefined) query = query.where('wallet', '=', filter.wallet);
  return query.orderBy('created_at', 'desc').orderBy('id').limit(filter.limit).execute();
}

/** Records that a withdrawal is being submitted. Call this before sending anything. */
export async function markWithdrawalSubmitted(db: Database, id: string, now = Date.now()): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set((row) => ({ state: 'submitted' as const, attempts: row('attempts', '+', 1), tried_at: now }))
    .where('id', '=', id)
    .where('state', 'in', OPEN_WITHDRAWALS)
    .execute();
}

export type WithdrawalNote = Partial<Pick<Withdrawal, 'transaction_id' | 'error' | 'waits_for' | 'searched_to'>>;

export async function noteWithdrawal(db: Database, id: string, note: WithdrawalNote): Promise<void> {
  await db.updateTable('withdrawals').set(note).where('id', '=', id).where('state', 'in', OPEN_WITHDRAWALS).execute();
}

/**
 * Replaces an open withdrawal's transfer with one that was not sent yet. Call this only if the chain will never execute
 * the earlier transfer. Does nothing if `lapsed` is no longer the recorded transfer.
 */
export async function renewWithdrawal(
  db: Database,
  id: string,
  lapsed: string,
  { content, fromHeight }: { content: string; fromHeight: number },
): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set({
      content,
      from_height: fromHeight,
      transaction_id: null,
      searched_to: null,
      waits_for: null,
      attempts: 0,
      tried_at: null,
    })
    .where('id', '=', id)
    .where('content', '=', lapsed)
    .where('state', 'in', OPEN_WITHDRAWALS)
    .execute();
}

export async function endWithdrawal(db: Database, id: string, transactionId: string, now = Date.now()): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set({ state: 'sent', transaction_id: transactionId, error: null, waits_for: null, ended_at: now })
    .where('id', '=', id)
    .where('state', 'in', OPEN_WITHDRAWALS)
    .execute();
}

/**
 * Marks a withdrawal as failed and credits the account, in one transaction. Call this only if its money can no longer
 * move. A second call changes nothing.
 * @param content transfer that failed; nothing changes if another transfer has replaced it
 * @throws CreditRefused if the balance would exceed its maximum; the withdrawal then stays open
 */
export function failWithdrawal(
  db: Database,
  { id, content }: Pick<Withdrawal, 'id' | 'content'>,
  error: string,
  now = Date.now(),
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const failed = await transaction
      .updateTable('withdrawals')
      .set({ state: 'failed', error, waits_for: null, ended_at: now })
      .where('id', '=', id)
      .where('content', '=', content)
      .where('state', 'in', OPEN_WITHDRAWALS)
      .returning(['account_id', 'amount', 'network'])
      .executeTakeFirst();
    if (!failed) return;
    const { account_id: accountId, amount: amountNanoUsd, network: detail } = failed;
    await creditWithin(
      transaction,
      { accountId, pot: 'x402', kind: 'REVERSAL', amountNanoUsd, detail, requestId: id },
      now,
    );
  });
}
