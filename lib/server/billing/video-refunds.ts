import { periodName } from '@/lib/protocol/api-keys/terms';
import type { Selectable } from 'kysely';
import { creditWithin } from '../db/credits';
import type { Database, LimitPeriod, Pot, Schema } from '../db/schema';
import { epochAt } from './rules/epoch';
import type { KeySpend } from './rules/key-limit';

/**
 * The search for a request's charge starts this long before the request's creation and ends `AFTER_MS` after the
 * creation. A charge is written before its reservation's lease ends, or never.
 */
export const BEFORE_MS = 15 * 60_000;
export const AFTER_MS = 45 * 60_000;

type Request = Pick<Selectable<Schema['video_requests']>, 'id' | 'account_id' | 'request_id' | 'created_at' | 'model'>;

/**
 * Refunds a request's charge to the balances that paid for it, as REFUND rows. Call this in the transaction that marks
 * the request as failed.
 */
export async function refundWithin(db: Database, request: Request, now: number): Promise<void> {
  const charges = await db
    .selectFrom('ledger')
    .select(['pot', 'amount', 'api_key_id', 'created_at'])
    .where('account_id', '=', request.account_id)
    .where('created_at', '>=', request.created_at - BEFORE_MS)
    .where('created_at', '<=', request.created_at + AFTER_MS)
    .where('request_id', '=', request.request_id)
    .where('kind', '=', 'CHARGE')
    .execute();
  let refunded = 0;
  for (const charge of charges) {
    const amount = -charge.amount;
    const isBack =
      charge.pot === 'diem'
        ? await refundAllocation(db, request, amount, charge.created_at, now)
        : await refundPot(db, request, charge.pot, amount, now);
    if (isBack && charge.api_key_id !== null)
      await refundKey(db, charge.api_key_id, charge.pot, amount, charge.created_at);
    refunded += amount;
  }
  if (refunded > 0) await db.updateTable('video_requests').set({ refunded }).where('id', '=', request.id).execute();
}

async function refundPot(
  db: Database,
  { account_id: accountId, id, request_id: requestId }: Request,
  pot: Exclude<Pot, 'diem'>,
  amountNanoUsd: number,
  now: number,
): Promise<boolean> {
  await creditWithin(db, { accountId, pot, kind: 'REFUND', amountNanoUsd, detail: `video ${id}`, requestId }, now);
  return true;
}

async function refundAllocation(
  db: Database,
  { account_id: accountId, id, request_id: requestId }: Request,
  amount: number,
  chargedAt: number,
  now: number,
): Promise<boolean> {
  if (!isPaidBack('diem', chargedAt, now)) return false;
  const meter = await db
    .updateTable('meters')
    .set((row) => ({ diem: row('diem', '+', amount) }))
    .where('account_id', '=', accountId)
    .where('diem_epoch', '=', epochAt(chargedAt))
    .returning('diem')
    .executeTakeFirst();
  if (!meter) return false;
  await db
    .insertInto('ledger')
    .values({
      account_id: accountId,
      pot: 'diem',
      kind: 'REFUND',
      amount,
      balance_after: meter.diem,
      api_key_id: null,
      resource: 'refund',
      detail: `video ${id}`,
      units: 0,
      request_id: requestId,
      created_at: now,
    })
    .execute();
  return true;
}

const COUNTED = { diem: ['diem'], bundled: ['usd'], usd: ['usd'], x402: ['usd', 'prepaid'] } as const satisfies Record<
  Pot,
  readonly (keyof KeySpend)[]
>;

/** Spending is counted only for keys with a limit. */
async function refundKey(db: Database, keyId: number, pot: Pot, amount: number, chargedAt: number): Promise<void> {
  const key = await db.selectFrom('api_keys').select('limit_period').where('id', '=', keyId).executeTakeFirst();
  if (!key) return;
  for (const column of COUNTED[pot]) {
    await db
      .updateTable('key_spend')
      .set((row) => ({ [column]: row(column, '-', amount) }))
      .where('api_key_id', '=', keyId)
      .where('period', '=', periodPaidBack(key.limit_period, chargedAt))
      .where(column, '>=', amount)
      .execute();
  }
}

/**
 * Returns whether a failed call's charge is refunded to a balance. A daily allocation expires at the end of its day, so
 * a later refund does not restore it.
 */
export function isPaidBack(pot: Pot, chargedAt: number, now: number): boolean {
  return pot !== 'diem' || epochAt(now) === epochAt(chargedAt);
}

/** A refund reduces the spending of the period in which the charge was made. */
export function periodPaidBack(period: LimitPeriod, chargedAt: number): string {
  return periodName(period, chargedAt);
}
