import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/schema';
import { AFTER_MS, BEFORE_MS } from './video-refunds';
import type { LedgerProof } from './ledger-scope';

const FAULTS_MAX = 100;
/** If a refund is younger than this, its video's row still exists. The row is deleted a week after the video ended. */
const ROW_IS_KEPT_MS = 6 * 86_400_000;
/** Clocks of gateways differ by less than this. */
const NOTED_WITHIN_MS = 3_600_000;

/**
 * Checks that each refund belongs to a failed video, and that each failed video was refunded once and in full. The part
 * that an expired daily allocation paid needs no refund.
 * @returns a sentence for each violation
 */
export async function videoRefundFaults(db: Database, now = Date.now()): Promise<string[]> {
  return [...(await strayRefunds(db, now)), ...(await excessRefunds(db)), ...(await unsettledVideos(db))];
}

/**
 * Returns SQL for what the video `v` cost, counting only rows that match the condition `pot`. Finds the charge like
 * `refundWithin`.
 */
const chargedFor = (pot: RawBuilder<unknown>) => sql`(
  select coalesce(-sum(l.amount), 0) from ledger l
   where l.account_id = v.account_id and l.created_at >= v.created_at - ${sql.lit(BEFORE_MS)}
     and l.created_at <= v.created_at + ${sql.lit(AFTER_MS)} and l.request_id = v.request_id and l.kind = 'CHARGE' and ${pot})`;

/**
 * Runs the same check as `videoRefundFaults`, but compares amounts only for videos and refunds after the last check.
 */
export async function newVideoRefundFaults(db: Database, since: LedgerProof, now = Date.now()): Promise<string[]> {
  const { rows } = await sql<Video>`
    select * from (
      select v.id, v.state, v.refunded as noted, ${chargedFor(sql`1 = 1`)} as charged, (
        select coalesce(sum(r.amount), 0) from ledger r
         where r.kind = 'REFUND' and r.request_id = v.request_id and r.account_id = v.account_id) as refunded
      from video_requests v
      where (v.state = 'FAILED' or v.refunded <> 0) and coalesce(v.ended_at, v.created_at) >= ${since.at - NOTED_WITHIN_MS}
    ) as videos where ${IS_UNSETTLED} limit ${FAULTS_MAX}`.execute(db);
  const { rows: excess } = await sql<Excess>`
    select * from (
      select v.account_id, v.request_id, r.pot, count(*) as refunds, sum(r.amount) as refunded, ${chargedFor(sql`l.pot = r.pot`)} as charged
      from ledger r join video_requests v on v.request_id = r.request_id and v.account_id = r.account_id
      where r.kind <> 'CHARGE' and r.kind = 'REFUND' and r.created_at >= ${since.at - NOTED_WITHIN_MS}
      group by v.account_id, v.request_id, v.created_at, r.pot
    ) as books where refunds > 1 or refunded > charged limit ${FAULTS_MAX}`.execute(db);
  return [...(await strayRefunds(db, now)), ...excess.map(excessText), ...rows.map(videoText)];
}

async function strayRefunds(db: Database, now: number): Promise<string[]> {
  const { rows } = await sql<{ id: number; detail: string; state: string | null }>`
    select l.id, l.detail, v.state from ledger l left join video_requests v
      on v.id = case when substr(l.detail, 1, 6) = 'video ' then substr(l.detail, 7) end
    where l.kind <> 'CHARGE' and l.kind = 'REFUND' and (
      (v.id is null and l.created_at > ${now - ROW_IS_KEPT_MS})
      or v.state not in ('FAILED', 'DELETED') or v.account_id <> l.account_id or v.request_id <> l.request_id
    ) limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    ({ id, detail, state }) =>
      `ledger row ${id}: it refunds ${JSON.stringify(detail)}, ${state === null ? 'which does not exist' : `which is ${state}, or belongs to another account`}`,
  );
}

interface Excess {
  account_id: number;
  request_id: string;
  pot: string;
  refunds: number;
  refunded: number;
  charged: number;
}

const excessText = ({ account_id: account, request_id: request, pot, refunds, refunded, charged }: Excess): string =>
  `account ${account}, request ${request}, pot ${pot}: ${charged} nano-USD were charged, and ${refunded} refunded in ${refunds} rows`;

async function excessRefunds(db: Database): Promise<string[]> {
  const { rows } = await sql<Excess>`
    select account_id, request_id, pot, sum(refunds) as refunds, sum(refunded) as refunded, sum(charged) as charged from (
      select account_id, request_id, pot, 1 as refunds, amount as refunded, 0 as charged from ledger where kind = 'REFUND'
      union all
      select account_id, request_id, pot, 0, 0, -amount from ledger
      where kind = 'CHARGE' and request_id in (select request_id from ledger where kind = 'REFUND')
    ) as books group by account_id, request_id, pot having sum(refunds) > 1 or sum(refunded) > sum(charged) limit ${FAULTS_MAX}`.execute(
    db,
  );
  return rows.map(excessText);
}

interface Video {
  id: string;
  state: string;
  noted: number;
  charged: number;
  refunded: number;
}

const IS_UNSETTLED = sql`(refunded > noted or noted > charged or (state = 'FAILED' and noted <> charged) or (state not in ('FAILED', 'DELETED') and noted <> 0))`;

const videoText = ({ id, state, noted, charged, refunded }: Video): string =>
  `video ${id}, ${state}: ${charged} nano-USD were charged, ${noted} are recorded as refunded, and the ledger refunds ${refunded}`;

async function unsettledVideos(db: Database): Promise<string[]> {
  const { rows } = await sql<Video>`
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
    where ${IS_UNSETTLED}
    limit ${FAULTS_MAX}`.execute(db);
  return rows.map(videoText);
}
