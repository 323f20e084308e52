import { sql } from 'kysely';
import type { Database } from '../db/schema';

const FAULTS_MAX = 100;
/** A refund younger than this must still have its video's row, which is deleted a week after the video ended. */
const ROW_IS_KEPT_MS = 6 * 86_400_000;

/**
 * Checks the refunds of failed videos. Each refund must belong to a failed video with the same account and request. No
 * balance may get more than it was charged. Each failed video must be refunded in full, once. Charges to an expired
 * daily allocation need no refund.
 * @returns every violation, as sentences
 */
export async function videoRefundFaults(db: Database, now = Date.now()): Promise<string[]> {
  return [...(await strayRefunds(db, now)), ...(await excessRefunds(db)), ...(await unsettledVideos(db))];
}

async function strayRefunds(db: Database, now: number): Promise<string[]> {
  const { rows } = await sql<{ id: number; detail: string; state: string | null }>`
    select l.id, l.detail, v.state from ledger l left join video_requests v
      on v.id = case when substr(l.detail, 1, 6) = 'video ' then substr(l.detail, 7) end
    where l.kind = 'REFUND' and (
      (v.id is null and l.created_at > ${now - ROW_IS_KEPT_MS})
      or v.state not in ('FAILED', 'DELETED') or v.account_id <> l.account_id or v.request_id <> l.request_id
    ) limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    ({ id, detail, state }) =>
      `ledger row ${id}: it pays back ${JSON.stringify(detail)}, ${state === null ? 'which does not exist' : `which is ${state}, or another's`}`,
  );
}

async function excessRefunds(db: Database): Promise<string[]> {
  const { rows } = await sql<{
    account_id: number;
    request_id: string;
    pot: string;
    refunds: number;
    refunded: number;
    charged: number;
  }>`
    select account_id, request_id, pot, sum(refunds) as refunds, sum(refunded) as refunded, sum(charged) as charged from (
      select account_id, request_id, pot, 1 as refunds, amount as refunded, 0 as charged from ledger where kind = 'REFUND'
      union all
      select account_id, request_id, pot, 0, 0, -amount from ledger
      where kind = 'CHARGE' and request_id in (select request_id from ledger where kind = 'REFUND')
    ) as books group by account_id, request_id, pot having sum(refunds) > 1 or sum(refunded) > sum(charged) limit ${FAULTS_MAX}`.execute(
    db,
  );
  return rows.map(
    ({ account_id: account, request_id: request, pot, refunds, refunded, charged }) =>
      `account ${account}, request ${request}, pot ${pot}: ${charged} nano-USD were charged, and ${refunded} paid back in ${refunds} rows`,
  );
}

async function unsettledVideos(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string; noted: number; charged: number; refunded: number }>`
    with movements as (
      select account_id, request_id, sum(case when kind = 'CHARGE' then -amount else 0 end) as charged,
        sum(case when kind = 'REFUND' then amount else 0 end) as refunded
      from ledger where kind in ('CHARGE', 'REFUND') and request_id in (select request_id from video_requests)
      group by account_id, request_id
    )
    select * from (
      select v.id, v.state, v.refunded as noted, coalesce(m.charged, 0) as charged, coalesce(m.refunded, 0) as refunded
      from video_requests v left join movements m on m.account_id = v.account_id and m.request_id = v.request_id
    ) as videos
    where refunded > noted or noted > charged or (state = 'FAILED' and noted <> charged) or (state not in ('FAILED', 'DELETED') and noted <> 0)
    limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    ({ id, state, noted, charged, refunded }) =>
      `video ${id}, ${state}: ${charged} nano-USD were charged, ${noted} are noted as paid back, and the ledger pays back ${refunded}`,
  );
}
