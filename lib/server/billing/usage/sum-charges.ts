import { sql } from 'kysely';
import { epochAt, epochName, epochStart } from '../rules/epoch';
import { type Database, type LedgerKind, POTS, type Pot } from '../../db/schema';
import type { ChargeFilter } from './list-charges';
import { slicesOf } from './period-slices';

export const GROUPINGS = ['day', 'resource', 'key'] as const;
type Grouping = (typeof GROUPINGS)[number];

const ATTEMPTS = 3;

export interface ChargeGroup {
  /** Day (`2026-11-21`), resource, or key id. The key id is empty for charges by wallet sign-in. */
  group: string;
  charges: number;
  units: number;
  amount: number;
  pots: Record<Pot, number>;
}

export interface PotMovement {
  opening: number;
  /** Sum of grants, top-ups, refunds and allocations. */
  credited: number;
  charged: number;
  /** Part of `credited`: refunds of failed work. */
  refunded: number;
  /** Withdrawals, already subtracted from `credited`. */
  withdrawn: number;
  expired: number;
  closing: number;
}

/** Sums an account's charges. Reads whole days from `charge_days`, and single charges only for partial days. */
export async function sumCharges(db: Database, filter: ChargeFilter, grouping: Grouping): Promise<ChargeGroup[]> {
  const groups = new Map<string, ChargeGroup>();
  const { first, end } = await wholeDays(db, filter);
  const sumCut = async (from: number, until: number): Promise<void> => {
    for await (const slice of slicesOf(db, { ...filter, from, until }))
      for (const row of await sumSlice(db, slice, grouping))
        addTo(groups, grouping === 'day' ? epochName(epochAt(slice.from)) : String(row.group ?? ''), row);
  };
  await sumCut(Math.max(filter.from, epochStart(end)), filter.until);
  if (first <= end) {
    for (const row of await sumDays(db, filter, { first, end }, grouping))
      addTo(groups, grouping === 'day' ? epochName(Number(row.group)) : String(row.group || ''), row);
    await sumCut(filter.from, Math.min(filter.until, epochStart(first)));
  }
  const all = [...groups.values()];
  return grouping === 'day' ? all : all.sort((a, b) => b.amount - a.amount);
}

/** UTC days since 1970. `end` is exclusive. */
interface Days {
  first: number;
  end: number;
}

/** Returns the whole days of a period. If a period ends after a day's last charge, that day counts as whole. */
async function wholeDays(db: Database, { accountId, from, until }: ChargeFilter): Promise<Days> {
  const [first, end] = [epochAt(from - 1) + 1, epochAt(until)];
  if (end < first || until === epochStart(end)) return { first, end };
  const { last } = await db
    .selectFrom('charge_days')
    .select((row) => row.fn.max<number | string | null>('last_at').as('last'))
    .where('account_id', '=', accountId)
    .where('day', '=', end)
    .executeTakeFirstOrThrow();
  return { first, end: Number(last ?? 0) < until ? end + 1 : end };
}

async function sumDays(
  db: Database,
  { accountId, resource, apiKeyId }: ChargeFilter,
  { first, end }: Days,
  grouping: Grouping,
): Promise<SumRow[]> {
  const column = sql.ref({ day: 'day', resource: 'resource', key: 'api_key_id' }[grouping]);
  const onlyResource = resource === undefined ? sql`` : sql`and resource = ${resource}`;
  const onlyKey = apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`;
  const sums = sql.join(
    ['calls', 'units', ...POTS].map((name) => sql`cast(sum(${sql.ref(name)}) as bigint) as ${sql.ref(name)}`),
  );
  const { rows } = await sql<Record<Pot | 'calls' | 'units', number> & { group: string | number }>`
    select ${column} as ${sql.ref('group')}, ${sums} from charge_days
     where account_id = ${accountId} and day >= ${first} and day < ${end} ${onlyResource} ${onlyKey}
     group by 1 order by 1 desc`.execute(db);
  return rows.map(({ calls, ...row }) => ({ ...row, charges: calls }));
}

interface SumRow extends Record<Pot, number> {
  group: string | number | null;
  charges: number;
  units: number;
}

async function sumSlice(
  db: Database,
  { accountId, from, until, resource, apiKeyId }: ChargeFilter,
  grouping: Grouping,
): Promise<SumRow[]> {
  const column = { day: sql`0`, resource: sql`resource`, key: sql`api_key_id` }[grouping];
  const onlyResource = resource === undefined ? sql`` : sql`and resource = ${resource}`;
  const onlyKey = apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`;
  const pots = sql.join(
    POTS.map(
      (pot) => sql`cast(sum(case when pot = ${sql.lit(pot)} then -amount else 0 end) as bigint) as ${sql.ref(pot)}`,
    ),
  );
  const sums = sql.join(POTS.map((pot) => sql`cast(sum(${sql.ref(pot)}) as bigint) as ${sql.ref(pot)}`));
  const { rows } = await sql<SumRow>`
    select ${sql.ref('group')}, cast(sum(calls) as bigint) as charges, cast(sum(units) as bigint) as units, ${sums} from (
      select ${column} as ${sql.ref('group')}, max(calls) as calls, max(units) as units, ${pots} from ledger
       where account_id = ${accountId} and created_at >= ${from} and created_at < ${until} and kind = 'CHARGE' ${onlyResource} ${onlyKey}
       group by 1, request_id, created_at
    ) as calls group by 1`.execute(db);
  return rows;
}

function addTo(groups: Map<string, ChargeGroup>, group: string, row: SumRow): void {
  let sum = groups.get(group);
  if (!sum)
    groups.set(
      group,
      (sum = { group, charges: 0, units: 0, amount: 0, pots: { diem: 0, bundled: 0, usd: 0, x402: 0 } }),
    );
  sum.charges += row.charges;
  sum.units += row.units;
  for (const pot of POTS) {
    sum.pots[pot] += row[pot];
    sum.amount += row[pot];
  }
}

/**
 * Returns each balance's movement in a period. Leaves out balances without rows. Opening and closing balances come from
 * ledger rows, so that callers can verify the sums.
 */
export async function potMovements(
  db: Database,
  period: Pick<ChargeFilter, 'accountId' | 'from' | 'until'>,
): Promise<Partial<Record<Pot, PotMovement>>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const movements = await readMovements(db, period);
    if (movements) return movements;
  }
  throw new Error('The ledger lost a row.');
}

/** @returns null if a daily row replaced the first or last row of a balance in the meantime */
async function readMovements(
  db: Database,
  period: Pick<ChargeFilter, 'accountId' | 'from' | 'until'>,
): Promise<Partial<Record<Pot, PotMovement>> | null> {
  const ends = new Map<Pot, { first: number; last: number }>();
  const movements: Partial<Record<Pot, PotMovement>> = {};
  for await (const { accountId, from, until } of slicesOf(db, period)) {
    const { rows } = await sql<{ pot: Pot; kind: LedgerKind; amount: number; first: number; last: number }>`
      select pot, kind, cast(sum(amount) as bigint) as amount, min(id) as first, max(id) as last from ledger
       where account_id = ${accountId} and created_at >= ${from} and created_at < ${until} group by pot, kind`.execute(
      db,
    );
    for (const row of rows) {
      const movement = (movements[row.pot] ??= {
        opening: 0,
        credited: 0,
        charged: 0,
        refunded: 0,
        withdrawn: 0,
        expired: 0,
        closing: 0,
      });
      if (row.kind === 'CHARGE') movement.charged -= row.amount;
      else if (row.kind === 'EXPIRY') movement.expired -= row.amount;
      else movement.credited += row.amount;
      if (row.kind === 'REFUND') movement.refunded += row.amount;
      else if (row.kind === 'WITHDRAWAL') movement.withdrawn -= row.amount;
      const end = ends.get(row.pot);
      ends.set(row.pot, {
        first: Math.min(row.first, end?.first ?? row.first),
        last: Math.max(row.last, end?.last ?? row.last),
      });
    }
  }
  for (const [pot, { first, last }] of ends) {
    const movement = movements[pot] as PotMovement;
    const rows = await db
      .selectFrom('ledger')
      .select(['id', 'amount', 'balance_after'])
      .where('id', 'in', [first, last])
      .execute();
    const firstRow = rows.find(({ id }) => id === first);
    const lastRow = rows.find(({ id }) => id === last);
    if (!firstRow || !lastRow) return null;
    movement.opening = firstRow.balance_after - firstRow.amount;
    movement.closing = lastRow.balance_after;
  }
  return movements;
}
