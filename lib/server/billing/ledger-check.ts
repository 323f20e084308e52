import { sql } from 'kysely';
import { type Database, POTS } from '../db/schema';
import { archiveFaults } from './retention/archive-check';
import { videoRefundFaults } from './video-refund-check';
import { withdrawalFaults } from './withdrawal-check';

interface LedgerVerdict {
  accounts: number;
  rows: number;
  faults: string[];
}

const FAULTS_MAX = 100;

/**
 * Checks the ledger. Each balance equals the sum of its ledger rows, and each row's balance is the running sum.
 * Charges, expiries and withdrawals lower a balance, and all other rows raise it. Withdrawals equal their debits. The
 * daily balance received each epoch's fixed allocation once. Refunds equal the cost of failed videos. Daily rows match
 * their archives (`archiveFileFaults` checks the files). Reads one consistent snapshot and blocks no writer, so a
 * gateway may run meanwhile.
 */
export async function checkLedger(db: Database): Promise<LedgerVerdict> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const { accounts } = await transaction
        .selectFrom('accounts')
        .select((expression) => expression.fn.countAll<number>().as('accounts'))
        .executeTakeFirstOrThrow();
      const { rows } = await transaction
        .selectFrom('ledger')
        .select((expression) => expression.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow();
      const checks = [
        sumFaults,
        runningFaults,
        directionFaults,
        allocationFaults,
        paymentFaults,
        withdrawalFaults,
        videoRefundFaults,
        archiveFaults,
      ];
      const faults: string[] = [];
      for (const check of checks) faults.push(...(await check(transaction)));
      return { accounts: Number(accounts), rows: Number(rows), faults: faults.slice(0, FAULTS_MAX) };
    });
}

async function sumFaults(db: Database): Promise<string[]> {
  const faults: string[] = [];
  for (const pot of POTS) {
    const { rows } = await sql<{ account_id: number; balance: number; total: number }>`
      with sums as (select account_id, sum(amount) as total from ledger where pot = ${pot} group by account_id)
      select m.account_id, m.${sql.ref(pot)} as balance, coalesce(s.total, 0) as total
      from meters m left join sums s on s.account_id = m.account_id where m.${sql.ref(pot)} <> coalesce(s.total, 0)
      limit ${FAULTS_MAX}`.execute(db);
    for (const row of rows) {
      faults.push(
        `account ${row.account_id}, pot ${pot}: balance ${row.balance} but the ledger sums to ${row.total} nano-USD`,
      );
    }
  }
  return faults;
}

async function runningFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: number; account_id: number; pot: string; balance_after: number; running: number }>`
    select * from (
      select id, account_id, pot, balance_after, sum(amount) over (partition by account_id, pot order by id) as running from ledger
    ) as books where balance_after <> running limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    (row) =>
      `ledger row ${row.id}, account ${row.account_id}, pot ${row.pot}: balance ${row.balance_after} but the rows up to it sum to ${row.running} nano-USD`,
  );
}

async function directionFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: number; account_id: number; kind: string; amount: number }>`
    select id, account_id, kind, amount from ledger
     where (kind in ('CHARGE', 'EXPIRY', 'WITHDRAWAL') and amount >= 0)
        or (kind not in ('CHARGE', 'EXPIRY', 'WITHDRAWAL') and amount <= 0) limit ${FAULTS_MAX}`.execute(db);
  return rows.map((row) => `ledger row ${row.id}, account ${row.account_id}: ${row.kind} of ${row.amount} nano-USD`);
}

/**
 * Compares only the number and sum of allocations with those of their ledger rows. The rows name an epoch by its day
 * (`2026-11-21`), which SQL cannot convert portably.
 */
async function allocationFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ account_id: number; fixed: number; given: number }>`
    select account_id, sum(fixed) as fixed, sum(given) as given from (
      select account_id, 1 as count, amount as fixed, 0 as given from allocations
      union all select account_id, -1, 0, amount from ledger where kind = 'ALLOCATION' and pot = 'diem'
    ) as books group by account_id having sum(count) <> 0 or sum(fixed) <> sum(given) limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    (row) =>
      `account ${row.account_id}: allocations of ${row.fixed} nano-USD are fixed, but the ledger gave ${row.given}`,
  );
}

/**
 * Checks that each credited payment has one ledger row with its amount and account, and no other row credits a payment.
 */
async function paymentFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; amount: number; credited: number; credits: number }>`
    with top_ups as (
      select account_id, request_id, sum(amount) as credited, count(*) as credits
      from ledger where kind = 'TOP_UP' group by account_id, request_id
    )
    select p.id, p.amount, coalesce(t.credited, 0) as credited, coalesce(t.credits, 0) as credits
    from payments p left join top_ups t on t.request_id = p.id and t.account_id = p.account_id
    where p.state = 'credited' and (t.credits is null or t.credits <> 1 or t.credited <> p.amount)
    limit ${FAULTS_MAX}`.execute(db);
  const { rows: strays } = await sql<{ id: number; request_id: string }>`
    select l.id, l.request_id from ledger l left join payments p on p.id = l.request_id and p.state = 'credited'
    where l.kind = 'TOP_UP' and substr(l.request_id, 1, 4) = 'pay_' and p.id is null limit ${FAULTS_MAX}`.execute(db);
  return [
    ...rows.map(
      (row) =>
        `payment ${row.id}: ${row.amount} nano-USD came in but ${row.credits} ledger rows credit ${row.credited}`,
    ),
    ...strays.map((row) => `ledger row ${row.id}: it credits the payment ${row.request_id}, which is not credited`),
  ];
}
