import { createHash, randomBytes } from 'node:crypto';
import { type ExpressionBuilder, expressionBuilder, type Insertable, type Selectable } from 'kysely';
import { CreditRefused, creditWithin } from './credits';
import type { Database, PaymentState, Schema } from './schema';
import { ensureWalletAccount } from './wallets';

export type Payment = Selectable<Schema['payments']>;

/** States of a payment whose money may still move, or has moved but is not credited yet. */
export const OPEN_STATES = ['verified', 'submitted', 'settled'] as const satisfies readonly PaymentState[];

const ERASED_IDENTITY = 'erased ';

type NewPayment = Pick<
  Insertable<Schema['payments']>,
  | 'identity'
  | 'network'
  | 'asset'
  | 'payer'
  | 'pay_to'
  | 'amount_units'
  | 'amount'
  | 'content'
  | 'from_height'
  | 'expires_at'
  | 'expires_height'
  | 'client'
  | 'call'
  | 'identifier'
>;

/**
 * Records a verified payment durably. Does not change a payment already recorded.
 * @returns recorded payment, or else the payer's earlier payment with the same identifier
 */
export async function recordPayment(db: Database, payment: NewPayment, now = Date.now()): Promise<Payment> {
  const id = `pay_${randomBytes(16).toString('hex')}`;
  const erased = await findErased(db, payment.identity);
  if (erased) return erased;
  const unset = {
    transaction_id: null,
    error: null,
    waits_for: null,
    searched_to: null,
    account_id: null,
    balance_after: null,
    lease_owner: null,
    submitted_at: null,
    tried_at: null,
    settled_at: null,
    credited_at: null,
  };
  await db
    .insertInto('payments')
    .values({ ...payment, ...unset, id, state: 'verified', next_look_at: now, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { identity, payer, identifier = null } = payment;
  const recorded = db.selectFrom('payments').selectAll();
  return (
    (await recorded.where('identity', '=', identity).executeTakeFirst()) ??
    recorded.where('payer', '=', payer).where('identifier', '=', identifier).executeTakeFirstOrThrow()
  );
}

/** Finds a recorded payment by its identity, even if its account was erased. */
export function findPayment(db: Database, identity: string): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('identity', 'in', [identity, erasedIdentity(identity)])
    .executeTakeFirst();
}

function findErased(db: Database, identity: string): Promise<Payment | undefined> {
  return db.selectFrom('payments').selectAll().where('identity', '=', erasedIdentity(identity)).executeTakeFirst();
}

/** Hashes an identity. An erased account's payment is recognised by this hash. */
export function erasedIdentity(identity: string): string {
  return identity.startsWith(ERASED_IDENTITY)
    ? identity
    : `${ERASED_IDENTITY}${createHash('sha256').update(identity).digest('hex')}`;
}

/** Finds a payer's payment by its nonce, in any token. `network`, `payer` and `key` must not contain LIKE wildcards. */
export function findPaymentOfAnyToken(
  db: Database,
  { network, payer, key }: { network: string; payer: string; key: string },
): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', payer)
    .where('identity', 'like', `${network}/%/${payer}/${key}`)
    .executeTakeFirst();
}

/** Token and network of a payment. */
export interface PaymentRoute {
  network: string;
  asset: string;
}

/**
 * Returns a condition for payments of these routes; an empty list matches none. Ignores the case of token addresses,
 * because EVM addresses may be in mixed case.
 */
function ofRoutes(routes: readonly PaymentRoute[]) {
  return (row: ExpressionBuilder<Schema, 'payments'>) =>
    row.or(
      routes.map(({ network, asset }) =>
        row.and([row('network', '=', network), row(row.fn<string>('lower', ['asset']), '=', asset.toLowerCase())]),
      ),
    );
}

/** Returns the number and sum of open payments by route. Sums are in nano-USD. */
export async function openByRoute(db: Database): Promise<(PaymentRoute & { payments: number; amount: number })[]> {
  const rows = await db
    .selectFrom('payments')
    .select((row) => [
      'network',
      'asset',
      row.fn.countAll<number | string>().as('payments'),
      row.fn.sum<number | string>('amount').as('amount'),
    ])
    .where('state', 'in', OPEN_STATES)
    .groupBy(['network', 'asset'])
    .execute();
  return rows.map(({ network, asset, payments, amount }) => ({
    network,
    asset,
    payments: Number(payments),
    amount: Number(amount),
  }));
}

/** @throws Error if the payment does not exist */
export function readPayment(db: Database, id: string): Promise<Payment> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Counts of open payments: from one client address, from one payer, and in total. */
export interface OpenCounts {
  client: number;
  payer: number;
  all: number;
}

export async function countOpen(
  db: Database,
  { client, payer }: { client: string | null; payer: string },
  { routes, without }: { routes: readonly PaymentRoute[]; without: readonly string[] },
): Promise<OpenCounts> {
  const eb = expressionBuilder<Schema, 'payments'>();
  const one = (column: 'client' | 'payer', value: string) =>
    eb.fn.sum<number | string | null>(eb.case().when(column, '=', value).then(1).else(0).end());
  const row = await db
    .selectFrom('payments')
    .select((each) => [
      each.fn.countAll<number | string>().as('all'),
      one('payer', payer).as('payer'),
      one('client', client ?? '').as('client'),
    ])
    .where('state', 'in', OPEN_STATES)
    .where('identity', 'not in', without)
    .where(ofRoutes(routes))
    .executeTakeFirstOrThrow();
  return { all: Number(row.all), payer: Number(row.payer ?? 0), client: client === null ? 0 : Number(row.client ?? 0) };
}

/** Lists due open payments of these routes. Those that have waited longest come first. */
export async function duePayments(
  db: Database,
  routes: readonly PaymentRoute[],
  limit: number,
  now = Date.now(),
): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('state', 'in', OPEN_STATES)
    .where('next_look_at', '<=', now)
    .where(ofRoutes(routes))
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export function listPayments(
  db: Database,
  { states, payer, limit }: { states?: readonly PaymentState[]; payer?: string; limit: number },
): Promise<Payment[]> {
  let query = db.selectFrom('payments').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit);
  if (states) query = query.where('state', 'in', states);
  if (payer) query = query.where('payer', '=', payer);
  return query.execute();
}

/** Makes one open payment due now, or all of them if no id is given. @returns number of payments made due */
export async function makeDue(db: Database, id?: string, now = Date.now()): Promise<number> {
  let query = db.updateTable('payments').set({ next_look_at: now, looks: 0 }).where('state', 'in', OPEN_STATES);
  if (id !== undefined) query = query.where('id', '=', id);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/**
 * Leases a payment to one process for `forMs`. If clocks differ, two processes may briefly hold the lease. This is
 * harmless: the chain executes a payment once, and the credit is written once.
 * @returns payment; null if another process holds the lease
 */
export async function leasePayment(
  db: Database,
  id: string,
  owner: string,
  forMs: number,
  now = Date.now(),
): Promise<Payment | null> {
  const leased = await db
    .updateTable('payments')
    .set({ lease_owner: owner, lease_until: now + forMs })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('lease_owner', 'is', null), row('lease_owner', '=', owner), row('lease_until', '<', now)]),
    )
    .returningAll()
    .executeTakeFirst();
  return leased ?? null;
}

/** Ends a lease. The next lookup is due at `nextLookAt`. */
export async function leavePayment(db: Database, id: string, owner: string, nextLookAt: number): Promise<void> {
  await db
    .updateTable('payments')
    .set((row) => ({ lease_owner: null, lease_until: 0, next_look_at: nextLookAt, looks: row('looks', '+', 1) }))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Ends all leases. Call this only if no other process uses the database. */
export async function freeLeases(db: Database, now = Date.now()): Promise<void> {
  await db
    .updateTable('payments')
    .set({ lease_owner: null, lease_until: 0, next_look_at: now })
    .where('state', 'in', OPEN_STATES)
    .execute();
  await db.updateTable('payment_signers').set({ lease_owner: null, lease_until: 0 }).execute();
}

/** Records that a payment is being submitted. Call this before sending anything. */
export async function markSubmitted(db: Database, id: string, now = Date.now()): Promise<void> {
  await db
    .updateTable('payments')
    .set((row) => ({
      state: 'submitted' as const,
      attempts: row('attempts', '+', 1),
      tried_at: now,
      submitted_at: row.fn.coalesce('submitted_at', row.val(now)),
    }))
    .where('id', '=', id)
    .where('state', 'in', ['verified', 'submitted'])
    .execute();
}

export interface PaymentNote {
  transaction_id?: string;
  error?: string | null;
  waits_for?: string | null;
  searched_to?: number | null;
}

export async function notePayment(db: Database, id: string, note: PaymentNote): Promise<void> {
  await db.updateTable('payments').set(note).where('id', '=', id).where('state', 'in', OPEN_STATES).execute();
}

export async function failPayment(db: Database, id: string, error: string, now = Date.now()): Promise<void> {
  await db
    .updateTable('payments')
    .set({ state: 'failed', error, waits_for: null, client: null, next_look_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['verified', 'submitted'])
    .execute();
}

interface PaidOnChain {
  transaction_id: string;
  /** Received amount in base units of the token. `amount` is its value in nano-USD. */
  amount_units: string;
  amount: number;
}

/**
 * Settles a payment and credits the exact amount to the payer's x402 balance, in one durable transaction. A second call
 * changes nothing.
 * @throws CreditRefused if the balance would exceed its maximum; the payment is then marked as settled
 */
export async function creditPayment(db: Database, id: string, paid: PaidOnChain, now = Date.now()): Promise<void> {
  try {
    await db.transaction().execute((transaction) => creditWithinTransaction(transaction, id, paid, now));
  } catch (error) {
    if (error instanceof CreditRefused) {
      await db
        .updateTable('payments')
        .set({ ...paid, state: 'settled', settled_at: now, error: error.message })
        .where('id', '=', id)
        .where('state', 'in', OPEN_STATES)
        .execute();
    }
    throw error;
  }
}

async function creditWithinTransaction(db: Database, id: string, paid: PaidOnChain, now: number): Promise<void> {
  // Locks the row until the commit. A second process waits for the lock and then finds the payment credited.
  const ours = await db
    .updateTable('payments')
    .set((row) => ({
      ...paid,
      state: 'credited' as const,
      settled_at: row.fn.coalesce('settled_at', row.val(now)),
      credited_at: now,
      error: null,
      waits_for: null,
      client: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', OPEN_STATES)
    .returning(['payer', 'network'])
    .executeTakeFirst();
  if (!ours) return;
  const accountId = await ensureWalletAccount(db, ours.payer, now);
  const balanceAfter = await creditWithin(
    db,
    { accountId, pot: 'x402', kind: 'TOP_UP', amountNanoUsd: paid.amount, detail: ours.network, requestId: id },
    now,
  );
  await db
    .updateTable('payments')
    .set({ account_id: accountId, balance_after: balanceAfter })
    .where('id', '=', id)
    .execute();
}
