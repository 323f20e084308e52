import { createHash, randomBytes } from 'node:crypto';
import { type ExpressionBuilder, expressionBuilder, type Insertable, type Selectable } from 'kysely';
import { CreditRefused, creditWithin } from './credits';
import type { Database, PaymentState, Schema } from './schema';
import { ensureWalletAccount } from './wallets';

/** A payment as the store has it. */
export type Payment = Selectable<Schema['payments']>;

/** States in which money may still move, or has moved and is not credited. */
export const OPEN_STATES = ['verified', 'submitted', 'settled'] as const satisfies readonly PaymentState[];

const ERASED_IDENTITY = 'erased ';

/** What is recorded of a payment that was verified, before anything is submitted. */
export type NewPayment = Pick<
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
>;

/** Records a verified payment, on disk when it resolves; one that is known already stays as it is. */
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
    .onConflict((conflict) => conflict.column('identity').doNothing())
    .execute();
  return db.selectFrom('payments').selectAll().where('identity', '=', payment.identity).executeTakeFirstOrThrow();
}

/** The payment with this identity, if it was ever verified, also where its account was erased since. */
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

/** By what a payment of an account that was erased is known again; nothing can be read in it. */
export function erasedIdentity(identity: string): string {
  return identity.startsWith(ERASED_IDENTITY)
    ? identity
    : `${ERASED_IDENTITY}${createHash('sha256').update(identity).digest('hex')}`;
}

/** The payment of this payer under this nonce, in whatever token; `network`, `payer` and `key` are free of wildcards. */
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

/** A token on a chain by which payments come in. */
export interface PaymentRoute {
  network: string;
  asset: string;
}

/** Rows of these routes; none without any. Tokens are compared in any case of letters, as addresses of EVM are written. */
function ofRoutes(routes: readonly PaymentRoute[]) {
  return (row: ExpressionBuilder<Schema, 'payments'>) =>
    row.or(
      routes.map(({ network, asset }) =>
        row.and([row('network', '=', network), row(row.fn<string>('lower', ['asset']), '=', asset.toLowerCase())]),
      ),
    );
}

/** How many open payments there are, and their sum in nano-USD, by route. */
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

/** The payment with this id. @throws Error where there is none. */
export function readPayment(db: Database, id: string): Promise<Payment> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** How many payments are open: of one client address, of one payer, and of all. */
export interface OpenCounts {
  client: number;
  payer: number;
  all: number;
}

/** Counts the open payments of these routes, without some. */
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

/** Open payments of these routes that are due to be looked at, those that wait longest first. */
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

/** Payments, newest first. */
export function listPayments(
  db: Database,
  { states, payer, limit }: { states?: readonly PaymentState[]; payer?: string; limit: number },
): Promise<Payment[]> {
  let query = db.selectFrom('payments').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit);
  if (states) query = query.where('state', 'in', states);
  if (payer) query = query.where('payer', '=', payer);
  return query.execute();
}

/** Has open payments, or one of them, looked at at once. @returns how many */
export async function makeDue(db: Database, id?: string, now = Date.now()): Promise<number> {
  let query = db.updateTable('payments').set({ next_look_at: now, looks: 0 }).where('state', 'in', OPEN_STATES);
  if (id !== undefined) query = query.where('id', '=', id);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/**
 * Takes a payment for one process, until `forMs` have passed or it is let go. Two that hold one for a moment, because
 * their clocks differ, do each other's work twice and harm nothing: a chain executes a payment once, and the credit
 * is written once.
 * @returns the payment, or null where another process has it.
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

/** Lets go of a payment, to be looked at again no sooner than `nextLookAt`. */
export async function leavePayment(db: Database, id: string, owner: string, nextLookAt: number): Promise<void> {
  await db
    .updateTable('payments')
    .set((row) => ({ lease_owner: null, lease_until: 0, next_look_at: nextLookAt, looks: row('looks', '+', 1) }))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Frees what a process left behind that is known to have ended. */
export async function freeLeases(db: Database, now = Date.now()): Promise<void> {
  await db
    .updateTable('payments')
    .set({ lease_owner: null, lease_until: 0, next_look_at: now })
    .where('state', 'in', OPEN_STATES)
    .execute();
  await db.updateTable('payment_signers').set({ lease_owner: null, lease_until: 0 }).execute();
}

/** Notes, before anything leaves this process, that the payment is being submitted. */
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

/** What is learned of a payment that stays open. */
export interface PaymentNote {
  /** The transaction that carries it, as far as it is known. */
  transaction_id?: string;
  /** What was said last of a failure. */
  error?: string | null;
  waits_for?: string | null;
  searched_to?: number | null;
}

/** Notes what was learned of an open payment. */
export async function notePayment(db: Database, id: string, note: PaymentNote): Promise<void> {
  await db.updateTable('payments').set(note).where('id', '=', id).where('state', 'in', OPEN_STATES).execute();
}

/** Ends a payment whose money can no longer move. */
export async function failPayment(db: Database, id: string, error: string, now = Date.now()): Promise<void> {
  await db
    .updateTable('payments')
    .set({ state: 'failed', error, waits_for: null, client: null, next_look_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['verified', 'submitted'])
    .execute();
}

/** What the chain says was paid, in the transaction that says so. */
export interface PaidOnChain {
  transaction_id: string;
  /** As it came in, which is what is credited. */
  amount_units: string;
  amount: number;
}

/**
 * Credits a payment: in one transaction it becomes settled and credited, and the payer's x402 pot grows by the amount,
 * to the unit. On disk when it resolves. Whoever is second finds it credited and changes nothing.
 * @throws CreditRefused where the balance would exceed what an account can hold; the payment is marked as settled then.
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
  // Takes the row until the commit: a second process waits here, and then finds another state.
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
