import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { PostgresBooks } from '@/test/postgres-books';
import { refillSums } from '@/test/refill-sums';
import { type Database, type Pot, POTS } from '../../db/schema';
import { listCharges } from './list-charges';
import { slicesOf } from './period-slices';
import { potMovements, sumCharges } from './sum-charges';

const DAY_MS = 86_400_000;

async function addCharges(
  db: Database,
  account: number,
  times: readonly number[],
  row: { pot?: Pot; request_id?: string } = {},
): Promise<void> {
  if (times.length === 0) return;
  await db
    .insertInto('ledger')
    .values(
      times.map((created_at, index) => ({
        account_id: account,
        pot: 'usd' as const,
        kind: 'CHARGE' as const,
        amount: -1,
        balance_after: 0,
        api_key_id: null,
        resource: 'rpc/base-mainnet',
        detail: 'eth_chainId',
        units: 1,
        request_id: `request ${index}`,
        created_at,
        ...row,
      })),
    )
    .execute();
}

describeStores('slices of a period', (open) => {
  it('cover it once, newest first, each with at most so many rows beyond those of one millisecond', async () => {
    const books = await open();
    const { db } = books.store;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 * DAY_MS }), { maxLength: 40 }),
        fc.array(fc.integer({ min: 100, max: 110 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (spread, dense, rowsMax) => {
          const accountId = await books.account({});
          const times = [...spread, ...dense];
          await addCharges(db, accountId, times);
          const period = { accountId, from: 50, until: 2 * DAY_MS + 1234 };
          let until = period.until;
          for await (const slice of slicesOf(db, period, rowsMax)) {
            expect(slice.until).toBe(until);
            expect(slice.from).toBeLessThan(slice.until);
            const inside = times.filter((time) => time >= slice.from && time < slice.until);
            if (slice.until - slice.from > 1) expect(inside.length).toBeLessThanOrEqual(rowsMax);
            expect(Math.floor(slice.from / DAY_MS)).toBe(Math.floor((slice.until - 1) / DAY_MS));
            until = slice.from;
          }
          expect(until).toBe(period.from);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of a busy day change no sum, and hide no rare charge', { timeout: 60_000 }, async () => {
    const books = await open();
    const { db } = books.store;
    const accountId = await books.account({ usd: 100_000 });
    const rows = 45_000;
    // Sums are filled below. On Postgres, updating them for each row would take a minute.
    if (books instanceof PostgresBooks) await sql`alter table ledger_rows disable trigger ledger_summed`.execute(db);
    await sql`insert into ledger (account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at)
      with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(rows)})
      select ${sql.lit(accountId)}, 'usd', 'CHARGE', -2, 100000 - 2 * i, case when i % 20000 = 1 then 'rare' else 'rpc/base-mainnet' end,
        'eth_chainId', 1, 'request ' || i, 1000 + i from numbers`.execute(db);
    await refillSums(db);
    const filter = { accountId, from: 0, until: DAY_MS };
    expect(await sumCharges(db, filter, 'resource')).toMatchObject([
      { group: 'rpc/base-mainnet', charges: rows - 3, amount: 2 * (rows - 3) },
      { group: 'rare', charges: 3, amount: 6 },
    ]);
    expect(await potMovements(db, filter)).toMatchObject({ usd: { charged: 2 * rows, closing: 100_000 - 2 * rows } });
    const pages: string[] = [];
    for (let after = null, pageOf; ; after = pageOf.next) {
      pageOf = await listCharges(db, { ...filter, resource: 'rare' }, { limit: 1, skip: 0, after });
      pages.push(...pageOf.charges.map(({ requestId }) => requestId));
      if (pageOf.next === null) break;
    }
    expect(pages).toEqual(['request 40001', 'request 20001', 'request 1']);
    const found = await listCharges(db, { ...filter, requestId: 'request 7' }, { limit: 1, skip: 0, after: null });
    expect(found.charges.map(({ at }) => at)).toEqual([1007]);
  });

  it('have whole charges, also if each was paid by all balances', async () => {
    const books = await open();
    const { db } = books.store;
    const accountId = await books.account({});
    const rows = Array.from({ length: 8 }, (_none, charge) =>
      POTS.map((pot) => ({ pot, amount: -1, request_id: `request ${charge}`, created_at: 1_000 + charge })),
    );
    for (const row of rows.flat()) await addCharges(db, accountId, [row.created_at], row);
    const { charges, next } = await listCharges(
      db,
      { accountId, from: 0, until: DAY_MS },
      { limit: 6, skip: 0, after: null },
    );
    expect(charges.map(({ requestId }) => requestId)).toEqual([7, 6, 5, 4, 3, 2].map((charge) => `request ${charge}`));
    expect(charges.map(({ amount }) => amount)).toEqual(Array(6).fill(POTS.length));
    expect(next).not.toBeNull();
  });

  it('that begins and ends within two days has the charges of both', async () => {
    const books = await open();
    const { db } = books.store;
    const accountId = await books.account({});
    await addCharges(db, accountId, [10, DAY_MS - 10, DAY_MS + 10, DAY_MS + 1_000]);
    await refillSums(db);
    const charges = async (from: number, until: number): Promise<number | undefined> =>
      (await sumCharges(db, { accountId, from, until }, 'resource'))[0]?.charges;
    expect(await charges(100, DAY_MS + 100)).toBe(2);
    expect(await charges(100, DAY_MS)).toBe(1);
    expect(await charges(100, DAY_MS + 2_000)).toBe(3);
    expect(await charges(DAY_MS, DAY_MS + 100)).toBe(1);
  });
});
