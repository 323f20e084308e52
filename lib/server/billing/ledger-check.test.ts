import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkLedger } from './ledger-check';
import { describeStores } from '@/test/describe-stores';
import { PostgresBooks } from '@/test/postgres-books';
import type { MeteredStore } from '@/test/metered-store';

describeStores('the check of the ledger', (open) => {
  /** Creates two accounts with charges over two balances each. @returns the first account */
  async function sound(): Promise<{ books: MeteredStore; account: number }> {
    const books = await open();
    const [account, other] = [
      await books.account({ diem: 10, bundled: 10, usd: 100 }),
      await books.account({ usd: 100, x402: 5 }),
    ];
    await books.charge(books.request(account, 15));
    await books.charge(books.request(other, 50));
    await books.charge(books.request(account, 7));
    return { books, account };
  }

  const tamper = async (books: MeteredStore, statement: string) => {
    for (const change of ['update', 'delete'])
      await sql
        .raw(`drop trigger ledger_refuses_${change}${books instanceof PostgresBooks ? ' on ledger_rows' : ''}`)
        .execute(books.store.db);
    await sql.raw(statement).execute(books.store.db);
  };

  describe('the books', () => {
    it('agree after grants and charges, and say how much was looked at', async () => {
      const { books } = await sound();
      // Five grants, and charges of 15 over two balances, 50 over one, and 7 over two.
      expect(await checkLedger(books.store.db)).toEqual({ accounts: 2, rows: 10, faults: [] });
    });

    it('of an empty store agree', async () => {
      const books = await open();
      expect(await checkLedger(books.store.db)).toEqual({ accounts: 0, rows: 0, faults: [] });
    });

    it('do not when a balance was changed: the account, the pot and both amounts are named', async () => {
      const { books, account } = await sound();
      await books.store.db.updateTable('meters').set({ usd: 1_000 }).where('account_id', '=', account).execute();
      expect(await books.faults()).toEqual([
        `account ${account}, pot usd: balance 1000 but the ledger sums to 98 nano-USD`,
      ]);
    });

    it('do not when a row was changed, even where the balance was made to fit', async () => {
      const { books, account } = await sound();
      await tamper(books, "update ledger_rows set amount = amount - 1 where pot_number = 1 and kind = 'GRANT'");
      await books.store.db
        .updateTable('meters')
        .set((row) => ({ bundled: row('bundled', '-', 1) }))
        .where('account_id', '=', account)
        .where('bundled', '>', 0)
        .execute();
      expect((await books.faults()).some((fault) => /ledger row \d+, account 1, pot bundled/.test(fault))).toBe(true);
    });

    it("do not when a row's balance was changed", async () => {
      const { books } = await sound();
      await tamper(books, 'update ledger_rows set balance_after = balance_after + 1 where id = 1');
      expect(await books.faults()).toEqual([expect.stringContaining('ledger row 1')]);
    });

    it('do not when a row was removed', async () => {
      const { books } = await sound();
      await tamper(books, "delete from ledger_rows where id = (select max(id) from ledger where pot = 'usd')");
      expect((await books.faults()).length).toBeGreaterThan(0);
    });

    it('do not when an allocation was given that is not fixed, or a charge gave money', async () => {
      const { books, account } = await sound();
      await tamper(
        books,
        `insert into ledger (account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at) values (${account}, 'diem', 'ALLOCATION', 7, 7, '', '', 0, '', 0), (${account}, 'usd', 'CHARGE', 2, 100, '', '', 0, '', 0)`,
      );
      await books.store.db.updateTable('meters').set({ diem: 7, usd: 100 }).where('account_id', '=', account).execute();
      const faults = await books.faults();
      expect(faults).toContain(`account ${account}: allocations of 10 nano-USD are fixed, but the ledger has 17`);
      expect(faults.some((fault) => /CHARGE of 2 nano-USD/.test(fault))).toBe(true);
    });

    it('name at most a hundred faults', async () => {
      const { books } = await sound();
      await tamper(books, 'update ledger_rows set balance_after = balance_after + 1');
      for (let i = 0; i < 5; i++)
        await sql
          .raw(
            `insert into ledger (account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at) select account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at from ledger`,
          )
          .execute(books.store.db);
      expect(await books.faults()).toHaveLength(100);
    });
  });
});
