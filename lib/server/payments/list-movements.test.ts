import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { PostgresBooks } from '@/test/postgres-books';
import { ScriptedPayout } from '@/test/scripted-payout';
import { ORIGINS, WithdrawalBench } from '@/test/withdrawal-bench';
import { listMovements, movementRows } from './list-movements';

const ROWS = 4_000;

describeStores('the movements of a wallet', (open) => {
  it('are there to the oldest, each page one question that an index answers, and none beyond the end', async () => {
    const books = await open();
    const { db } = books.store;
    const [accountId, other] = [await books.account({ x402: ROWS }), await books.account({ x402: ROWS })];
    for (const account of [accountId, other]) {
      await sql`insert into ledger (account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at)
        with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(ROWS)})
        select ${sql.lit(account)}, 'x402', 'CHARGE', -1, ${sql.lit(ROWS)} - i, 'rpc/base-mainnet', 'eth_chainId', 1, 'charge', 1000 + i from numbers`.execute(
        db,
      );
    }
    const amounts = async (offset: number, limit = 101) =>
      (await listMovements(db, accountId, { limit, offset })).map(({ kind, balance_after }) => [
        kind,
        Number(balance_after),
      ]);
    expect(await amounts(2_001, 2)).toEqual([
      ['CHARGE', 2_001],
      ['CHARGE', 2_002],
    ]);
    // The account's grant is the oldest row.
    expect(await amounts(ROWS - 1)).toEqual([
      ['CHARGE', ROWS - 1],
      ['GRANT', ROWS],
    ]);
    for (const offset of [ROWS + 1, 1_000_000, Number.MAX_SAFE_INTEGER]) expect(await amounts(offset)).toEqual([]);

    if (books instanceof PostgresBooks) return;
    for (const offset of [0, ROWS, Number.MAX_SAFE_INTEGER]) {
      const { sql: text, parameters } = movementRows(db, accountId, { limit: 101, offset }).compile();
      const values = [...parameters];
      const asked = sql.join(
        text.split('?').flatMap((part, i) => (i === 0 ? [sql.raw(part)] : [sql`${values[i - 1]}`, sql.raw(part)])),
        sql.raw(''),
      );
      const { rows } = await sql<{ detail: string }>`explain query plan ${asked}`.execute(db);
      const plan = rows.map(({ detail }) => detail);
      expect(plan[0]).toBe('SEARCH ledger_rows USING INDEX ledger_of_prepaid (account_id=?)');
      expect(plan.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    }
  });

  it('name the network and transaction of a withdrawal and of its reversal, even on different pages', async () => {
    const b = new WithdrawalBench(await open(), (now) => new ScriptedPayout(now));
    const owner = await b.wallet(10);
    b.payout.fates = Array.from({ length: 200 }, () => 'lost' as const);
    const process = b.process();
    const { id, network } = await process.request(b.asked(4), owner, ORIGINS);
    await b.settle(process);
    await process.close();
    const { transaction_id } = (await process.find(owner.accountId, id)) ?? {};
    const payment = { id, network, transaction_id };
    for (const [offset, kind] of ['REVERSAL', 'WITHDRAWAL'].entries())
      expect(await listMovements(b.db, owner.accountId, { limit: 1, offset })).toMatchObject([{ kind, payment }]);
  });
});
