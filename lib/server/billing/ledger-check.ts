import { sql } from 'kysely';
import { type Database, type Pot, POTS } from '../db/schema';
import { findProof, type FoundProof, lastProof, unprovenAccounts } from './ledger-proof';
import { type LedgerProof, type LedgerScope, provenBalance, rowsSince, WHOLE } from './ledger-scope';
import { archiveFaults } from './retention/archive-check';
import { sumsFaults } from './sums-check';
import { newVideoRefundFaults, videoRefundFaults } from './video-refund-check';

interface LedgerVerdict {
  accounts: number;
  rows: number;
  faults: string[];
}

const FAULTS_MAX = 100;
/**
 * A check reads up to this many unproven accounts one by one. If there are more, reading the whole ledger is faster.
 */
const UNPROVEN_MAX = 2_000;

/**
 * Checks the ledger against balances, allocations, payments, withdrawals, refunds, daily sums and records of archives.
 * Reads one consistent snapshot and blocks no writer, so a gateway may run meanwhile. `archiveFileFaults` checks the
 * archive files.
 */
export async function checkLedger(db: Database): Promise<LedgerVerdict> {
  const { accounts, rows, faults } = await checkScope(db, () => Promise.resolve(WHOLE));
  return { accounts, rows, faults };
}

/** Runs the same check as `checkLedger`, but skips rows that an earlier check proved. */
export function checkSinceProof(
  db: Database,
): Promise<LedgerVerdict & { proof: FoundProof; since: LedgerProof | null }> {
  return checkScope(db, async (snapshot) => {
    const since = await lastProof(snapshot);
    if (!since) return WHOLE;
    const unproven = await unprovenAccounts(snapshot, UNPROVEN_MAX + 1);
    return unproven.length > UNPROVEN_MAX ? WHOLE : rowsSince(since, unproven);
  });
}

/** Runs the same check as `checkLedger`, and also returns a proof, which is valid if the check found no faults. */
export function proveWhole(db: Database): Promise<LedgerVerdict & { proof: FoundProof; since: LedgerProof | null }> {
  return checkScope(db, () => Promise.resolve(WHOLE));
}

function checkScope(db: Database, scopeIn: (snapshot: Database) => Promise<LedgerScope>) {
  const at = Date.now();
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const scope = await scopeIn(transaction);
      const { accounts } = await transaction
        .selectFrom('accounts')
        .select((expression) => expression.fn.countAll<number>().as('accounts'))
        .executeTakeFirstOrThrow();
      const { rows: counts } = await sql<{ rows: number }>`select count(*) as rows from ${scope.rows} as fresh`.execute(
        transaction,
      );
      const checks = [
        sumFaults,
        runningFaults,
        directionFaults,
        allocationFaults,
        paymentFaults,
        withdrawalFaults,
        videoRefundFaultsOf,
        archiveFaultsOf,
        sumsFaults,
      ];
      const faults: string[] = [];
      for (const check of checks) faults.push(...(await check(transaction, scope)));
      const proof = await findProof(transaction, scope, at);
      return {
        accounts: Number(accounts),
        rows: Number(counts[0]?.rows ?? 0),
        faults: faults.slice(0, FAULTS_MAX),
        proof,
        since: scope.since,
      };
    });
}

const videoRefundFaultsOf = (db: Database, { since }: LedgerScope): Promise<string[]> =>
  since ? newVideoRefundFaults(db, since) : videoRefundFaults(db);

const archiveFaultsOf = (db: Database, { since }: LedgerScope): Promise<string[]> =>
  archiveFaults(db, since?.archiveId);

async function sumFaults(db: Database, { rows: of, proofs }: LedgerScope): Promise<string[]> {
  const sums = sql.join(
    POTS.map((pot) => sql`sum(case when pot = ${sql.lit(pot)} then amount else 0 end) as ${sql.ref(pot)}`),
  );
  const total = (pot: Pot) => sql`${provenBalance(pot)} + coalesce(s.${sql.ref(pot)}, 0)`;
  const totals = sql.join(POTS.map((pot) => sql`${total(pot)} as ${sql.ref(`${pot}_total`)}`));
  const { rows } = await sql<Record<Pot | `${Pot}_total`, number> & { account_id: number }>`
    select m.account_id, m.diem, m.bundled, m.usd, m.x402, ${totals}
    from meters m left join ${proofs} p on p.account_id = m.account_id
      left join (select account_id, ${sums} from ${of} as fresh group by account_id) as s on s.account_id = m.account_id
    where ${sql.join(
      POTS.map((pot) => sql`m.${sql.ref(pot)} <> ${total(pot)}`),
      sql` or `,
    )}
    limit ${FAULTS_MAX}`.execute(db);
  return rows.flatMap((row) =>
    POTS.filter((pot) => Number(row[pot]) !== Number(row[`${pot}_total`])).map(
      (pot) =>
        `account ${row.account_id}, pot ${pot}: balance ${row[pot]} but the ledger sums to ${row[`${pot}_total`]} nano-USD`,
    ),
  );
}

async function runningFaults(db: Database, { rows: of, proofs }: LedgerScope): Promise<string[]> {
  const opening = sql.join(
    POTS.map((pot) => sql`when ${sql.lit(pot)} then ${provenBalance(pot)}`),
    sql` `,
  );
  const { rows } = await sql<{ id: number; account_id: number; pot: string; balance_after: number; running: number }>`
    select * from (
      select l.id, l.account_id, l.pot, l.balance_after,
        sum(l.amount) over (partition by l.account_id, l.pot order by l.id) + case l.pot ${opening} end as running
      from ${of} as l left join ${proofs} p on p.account_id = l.account_id
    ) as books where balance_after <> running limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    (row) =>
      `ledger row ${row.id}, account ${row.account_id}, pot ${row.pot}: balance ${row.balance_after} but the rows up to it sum to ${row.running} nano-USD`,
  );
}

async function directionFaults(db: Database, { rows: of }: LedgerScope): Promise<string[]> {
  const { rows } = await sql<{ id: number; account_id: number; kind: string; amount: number }>`
    select id, account_id, kind, amount from ${of} as fresh
     where (kind in ('CHARGE', 'EXPIRY', 'WITHDRAWAL') and amount >= 0)
        or (kind not in ('CHARGE', 'EXPIRY', 'WITHDRAWAL') and amount <= 0) limit ${FAULTS_MAX}`.execute(db);
  return rows.map((row) => `ledger row ${row.id}, account ${row.account_id}: ${row.kind} of ${row.amount} nano-USD`);
}

/**
 * Compares only the number and the sum of allocations with the ledger. Single rows are not compared: ledger rows
 * identify an epoch by its day (`2026-11-21`), and SQLite and Postgres convert days differently.
 */
async function allocationFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ account_id: number; fixed: number; given: number }>`
    select account_id, sum(fixed) as fixed, sum(given) as given from (
      select account_id, 1 as count, amount as fixed, 0 as given from allocations
      union all select account_id, -1, 0, amount from ledger where kind <> 'CHARGE' and kind = 'ALLOCATION' and pot = 'diem'
    ) as books group by account_id having sum(count) <> 0 or sum(fixed) <> sum(given) limit ${FAULTS_MAX}`.execute(db);
  return rows.map(
    (row) =>
      `account ${row.account_id}: allocations of ${row.fixed} nano-USD are fixed, but the ledger has ${row.given}`,
  );
}

/**
 * Checks that each credited payment has one ledger row with its amount and account, and that no other payment has a
 * ledger row.
 */
async function paymentFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; amount: number; credited: number; credits: number }>`
    with top_ups as (
      select account_id, request_id, sum(amount) as credited, count(*) as credits
      from ledger where kind <> 'CHARGE' and kind = 'TOP_UP' group by account_id, request_id
    )
    select p.id, p.amount, coalesce(t.credited, 0) as credited, coalesce(t.credits, 0) as credits
    from payments p left join top_ups t on t.request_id = p.id and t.account_id = p.account_id
    where p.state = 'credited' and (t.credits is null or t.credits <> 1 or t.credited <> p.amount)
    limit ${FAULTS_MAX}`.execute(db);
  const { rows: strays } = await sql<{ id: number; request_id: string }>`
    select l.id, l.request_id from ledger l left join payments p on p.id = l.request_id and p.state = 'credited'
    where l.kind <> 'CHARGE' and l.kind = 'TOP_UP' and substr(l.request_id, 1, 4) = 'pay_' and p.id is null limit ${FAULTS_MAX}`.execute(
    db,
  );
  return [
    ...rows.map(
      (row) =>
        `payment ${row.id}: ${row.amount} nano-USD were received, but ${row.credits} ledger rows credit ${row.credited}`,
    ),
    ...strays.map((row) => `ledger row ${row.id}: it credits the payment ${row.request_id}, which is not credited`),
  ];
}

/**
 * Checks that each withdrawal has one debit of its amount on its account, that only failed withdrawals were credited
 * back, and that each debit and reversal belongs to a withdrawal.
 * @returns a sentence for each violation
 */
async function withdrawalFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string; amount: number; debits: number; total: number }>`
    with moved as (
      select account_id, request_id, count(*) as movements, sum(amount) as total,
        sum(case when kind = 'WITHDRAWAL' then 1 else 0 end) as debits, sum(case when kind = 'WITHDRAWAL' then amount else 0 end) as debited
      from ledger where kind <> 'CHARGE' and kind in ('WITHDRAWAL', 'REVERSAL') and pot = 'x402' group by account_id, request_id
    )
    select w.id, w.state, w.amount, coalesce(m.movements, 0) as debits, coalesce(m.total, 0) as total
    from withdrawals w left join moved m on m.request_id = w.id and m.account_id = w.account_id
    where m.movements is null or m.debits <> 1 or m.debited <> -w.amount
      or m.movements <> case when w.state = 'failed' then 2 else 1 end
      or m.total <> case when w.state = 'failed' then 0 else -w.amount end
      or w.fee < 0 or w.fee >= w.amount
    limit ${FAULTS_MAX}`.execute(db);
  const { rows: strays } = await sql<{ id: number; kind: string; request_id: string }>`
    select l.id, l.kind, l.request_id from ledger l left join withdrawals w on w.id = l.request_id
    where l.kind <> 'CHARGE' and l.kind in ('WITHDRAWAL', 'REVERSAL') and w.id is null limit ${FAULTS_MAX}`.execute(db);
  return [
    ...rows.map(
      ({ id, state, amount, debits, total }) =>
        `withdrawal ${id}, ${state}: its amount is ${amount} nano-USD, but ${debits} ledger rows sum to ${total}`,
    ),
    ...strays.map(
      ({ id, kind, request_id: of }) => `ledger row ${id}: ${kind} of the withdrawal ${of}, which does not exist`,
    ),
  ];
}

const NAME = 'ledger-check';

/** Time of a check in Unix milliseconds, and the number of its faults. */
export interface LedgerCheckRecord {
  at: number;
  faults: number;
}

export async function noteLedgerCheck(db: Database, { at, faults }: LedgerCheckRecord): Promise<void> {
  const value = `${at} ${faults}`;
  await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function lastLedgerCheck(db: Database): Promise<LedgerCheckRecord | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  const [at, faults] = (row?.value ?? '').split(' ').map(Number);
  return at === undefined || faults === undefined || !Number.isSafeInteger(at) || !Number.isSafeInteger(faults)
    ? null
    : { at, faults };
}
