import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../db/schema';
import { epochAt, epochStart } from '../rules/epoch';
import { BalanceGap, type DailyRow, dailyRowsOf, type LedgerRow } from './daily-rows';

/** Ledger rows per statement. On SQLite, such a statement blocks this thread for about 2 ms. */
const PAGE_ROWS = 2_000;
const RANGE_ROWS = 100_000;
/**
 * Clocks differ or step back by less than this time. For rows written within this time of each other, the order of ids
 * may differ from the order of times.
 */
const DISORDER_MS = 3_600_000;
/** Request ids per statement. A statement's parameters are limited. */
const IDS_AT_ONCE = 500;
/** Maximum time to read without a pause for other work of this thread. */
const STRETCH_MS = 2;

/**
 * Part of the ledger to archive: the rows of whole days before `before`. The next part begins after the id `throughId`.
 */
export interface LedgerRange {
  /** Time of the oldest archivable row, by account. */
  oldestOf: ReadonlyMap<number, number>;
  /** Start of a UTC day in Unix milliseconds. All rows of the range are older. */
  before: number;
  throughId: number;
  isLast: boolean;
}

interface Slice {
  accountId: number;
  daily: DailyRow[];
  rows: number;
  /** True if some charges must wait, because their videos are not deleted yet. */
  hasVideos: boolean;
}

/**
 * Finds accounts with charges to archive among the rows after `afterId`. Reads no other rows.
 */
export async function nextRange(
  db: Database,
  {
    afterId,
    before,
    rangeRows = RANGE_ROWS,
    rest = turn,
  }: { afterId: number; before: number; rangeRows?: number; rest?: () => Promise<unknown> },
): Promise<LedgerRange> {
  const oldestOf = new Map<number, number>();
  let [until, newest, found, last] = [before, 0, 0, afterId];
  let nearId: number | null = null;
  let [farId, farRows]: [number | null, number] = [null, 0];
  for (;;) {
    const rows = await db
      .selectFrom('ledger')
      .select(['id', 'account_id', 'kind', 'created_at', 'archive_id'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const { id, account_id: account, kind, created_at: at, archive_id: archive } of rows) {
      last = id;
      if (at >= until + DISORDER_MS) {
        farId ??= id;
        farRows++;
        continue;
      }
      if (at >= until) {
        nearId ??= id;
        continue;
      }
      // The far rows before this row were written while a clock was ahead, so they do not end the range.
      [farId, farRows] = [null, 0];
      if (kind !== 'CHARGE' || archive !== null) continue;
      oldestOf.set(account, Math.min(oldestOf.get(account) ?? at, at));
      newest = Math.max(newest, at);
      if (++found === rangeRows) until = Math.min(before, epochStart(epochAt(newest) + 1));
    }
    if (rows.length < PAGE_ROWS || farRows >= PAGE_ROWS) {
      const throughId = Math.min(last, (nearId ?? Infinity) - 1, (farId ?? Infinity) - 1);
      return { oldestOf, before: until, throughId, isLast: until === before };
    }
    await rest();
  }
}

/** Yields the archivable rows of a range, account by account, in slices of about `rowsMax` rows or fewer. */
export async function* slicesOf(
  db: Database,
  { oldestOf, before }: Pick<LedgerRange, 'oldestOf' | 'before'>,
  rowsMax: number,
): AsyncGenerator<Slice> {
  let restedAt = performance.now();
  for (const accountId of [...oldestOf.keys()].sort((left, right) => left - right)) {
    let from: number | null = oldestOf.get(accountId) ?? 0;
    while (from !== null) {
      const page: Page = await readPage(db, accountId, { from, before, rowsMax });
      if (page.rows.length > IDS_AT_ONCE) await turn();
      if (page.rows.length > 0) yield await sliceOf(db, accountId, page.rows);
      from = page.next;
      if (performance.now() - restedAt < STRETCH_MS) continue;
      await turn();
      restedAt = performance.now();
    }
  }
}

type PageRow = LedgerRow & { archive_id: number | null };

interface Page {
  rows: PageRow[];
  /** Start time of the next page; null after the last page. */
  next: number | null;
}

/**
 * Reads whole days of an account's rows. Splits a day with more than `rowsMax` rows, but never rows of the same
 * millisecond.
 */
async function readPage(
  db: Database,
  accountId: number,
  { from, before, rowsMax }: { from: number; before: number; rowsMax: number },
): Promise<Page> {
  const rows = await rowsBetween(db, accountId, from, before, rowsMax);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length < rowsMax) return { rows, next: null };
  const day = epochStart(epochAt(last.created_at));
  const end = day > first.created_at ? day : last.created_at;
  if (end > first.created_at) return { rows: rows.filter(({ created_at: at }) => at < end), next: end };
  return { rows: await rowsBetween(db, accountId, end, end + 1), next: end + 1 };
}

function rowsBetween(
  db: Database,
  accountId: number,
  from: number,
  before: number,
  rowsMax = Number.MAX_SAFE_INTEGER,
): Promise<PageRow[]> {
  return selectRows(db)
    .where('account_id', '=', accountId)
    .where('created_at', '>=', from)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(rowsMax)
    .execute();
}

function selectRows(db: Database) {
  return db
    .selectFrom('ledger')
    .select([
      'id',
      'account_id',
      'pot',
      'kind',
      'amount',
      'balance_after',
      'api_key_id',
      'resource',
      'detail',
      'units',
      'request_id',
      'created_at',
      'archive_id',
    ]);
}

async function sliceOf(db: Database, accountId: number, page: readonly PageRow[]): Promise<Slice> {
  const charges = page.filter(({ kind, archive_id: archive }) => kind === 'CHARGE' && archive === null);
  const { refunded, videos } = await keptRequests(db, new Set(charges.map(({ request_id: request }) => request)));
  const archived = new Set(
    charges.filter(({ request_id: id }) => !refunded.has(id) && !videos.has(id)).map(({ id }) => id),
  );
  const daily = await dailyOf(db, accountId, page, archived);
  return { accountId, daily, rows: archived.size, hasVideos: videos.size > 0 };
}

async function keptRequests(
  db: Database,
  requests: ReadonlySet<string>,
): Promise<{ refunded: Set<string>; videos: Set<string> }> {
  const [refunded, videos] = [new Set<string>(), new Set<string>()];
  const ids = [...requests];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    const refunds = db.selectFrom('ledger').select('request_id').where('kind', '=', sql.lit('REFUND'));
    for (const { request_id: id } of await refunds.where('request_id', 'in', some).execute()) refunded.add(id);
    const open = db.selectFrom('video_requests').select('request_id').where('request_id', 'in', some);
    for (const { request_id: id } of await open.execute()) videos.add(id);
    if (some.length === IDS_AT_ONCE) await turn();
  }
  return { refunded, videos };
}

/**
 * Sums the rows of a page by day. If a clock stepped back, a row outside the page can have an
 * id between the ids of the page. Such rows are read by id.
 * @throws Error if running balances are inconsistent
 */
async function dailyOf(
  db: Database,
  accountId: number,
  page: readonly PageRow[],
  archived: ReadonlySet<number>,
): Promise<DailyRow[]> {
  const isKept = ({ id }: LedgerRow): boolean => !archived.has(id);
  const inOrder = page.map(ledgerRowOf).sort((left, right) => left.id - right.id);
  try {
    return dailyRowsOf(inOrder, isKept);
  } catch (error) {
    if (!(error instanceof BalanceGap)) throw error;
    const rows = await selectRows(db)
      .where('account_id', '=', accountId)
      .where('id', '>=', Math.min(...archived))
      .where('id', '<=', Math.max(...archived))
      .orderBy('id')
      .execute();
    return dailyRowsOf(rows.map(ledgerRowOf), isKept);
  }
}

/** Lists the fields, because rest syntax takes several times as long. */
function ledgerRowOf(row: PageRow): LedgerRow {
  return {
    id: row.id,
    account_id: row.account_id,
    pot: row.pot,
    kind: row.kind,
    amount: row.amount,
    balance_after: row.balance_after,
    api_key_id: row.api_key_id,
    resource: row.resource,
    detail: row.detail,
    units: row.units,
    request_id: row.request_id,
    created_at: row.created_at,
  };
}
