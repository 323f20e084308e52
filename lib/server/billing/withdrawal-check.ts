import { sql } from 'kysely';
import type { Database } from '../db/schema';

const FAULTS_MAX = 100;

/**
 * Checks that each withdrawal has one debit of its amount on its account, that only failed withdrawals are credited
 * back, and that each debit and reversal belongs to a withdrawal.
 * @returns every violation, as sentences
 */
export async function withdrawalFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string; amount: number; debits: number; total: number }>`
    select w.id, w.state, w.amount, count(l.id) as debits, coalesce(sum(l.amount), 0) as total
    from withdrawals w left join ledger l
      on l.request_id = w.id and l.kind <> 'CHARGE' and l.kind in ('WITHDRAWAL', 'REVERSAL') and l.account_id = w.account_id and l.pot = 'x402'
    group by w.id, w.state, w.amount, w.fee
    having sum(case when l.kind = 'WITHDRAWAL' and l.amount = -w.amount then 1 else 0 end) <> 1
      or count(l.id) <> case when w.state = 'failed' then 2 else 1 end
      or coalesce(sum(l.amount), 0) <> case when w.state = 'failed' then 0 else -w.amount end
      or w.fee < 0 or w.fee >= w.amount
    limit ${FAULTS_MAX}`.execute(db);
  const { rows: strays } = await sql<{ id: number; kind: string; request_id: string }>`
    select l.id, l.kind, l.request_id from ledger l left join withdrawals w on w.id = l.request_id
    where l.kind <> 'CHARGE' and l.kind in ('WITHDRAWAL', 'REVERSAL') and w.id is null limit ${FAULTS_MAX}`.execute(db);
  return [
    ...rows.map(
      ({ id, state, amount, debits, total }) =>
        `withdrawal ${id}, ${state}: it is of ${amount} nano-USD, but ${debits} ledger rows sum to ${total}`,
    ),
    ...strays.map(
      ({ id, kind, request_id: of }) => `ledger row ${id}: ${kind} of the withdrawal ${of}, which does not exist`,
    ),
  ];
}
