import { describe, expect, it } from 'vitest';
import { BALANCE_NANO_USD_MAX, CreditRefused, grant } from './credits';
import { describeStores } from '@/test/describe-stores';

const into = (accountId: number, amountNanoUsd: number, pot: 'usd' | 'bundled' | 'x402' = 'usd') => ({
  accountId,
  pot,
  amountNanoUsd,
  detail: 'why',
});

describeStores('grants', (open) => {
  describe('a grant', () => {
    it('raises the balance and says why in the ledger, in one step', async () => {
      const books = await open();
      const account = await books.account();
      expect(await grant(books.store.db, into(account, 5, 'bundled'))).toBe(5);
      expect(await grant(books.store.db, into(account, 7, 'bundled'))).toBe(12);
      expect(await books.balances(account)).toEqual({ diem: 0, bundled: 12, usd: 0, x402: 0 });
      const rows = await books.store.db
        .selectFrom('ledger')
        .select(['pot', 'kind', 'amount', 'balance_after', 'detail'])
        .orderBy('id')
        .execute();
      expect(rows[1]).toEqual({ pot: 'bundled', kind: 'GRANT', amount: 7, balance_after: 12, detail: 'why' });
      expect(await books.faults()).toEqual([]);
    });

    it.each([0, -1, 0.5, NaN, Infinity, 2 ** 53])('of %s is refused and leaves nothing', async (amount) => {
      const books = await open();
      const account = await books.account();
      await expect(grant(books.store.db, into(account, amount))).rejects.toThrow(CreditRefused);
      expect(await books.balances(account)).toMatchObject({ usd: 0 });
      expect(await books.store.db.selectFrom('ledger').selectAll().execute()).toEqual([]);
    });

    it('to an account that does not exist is refused, naming it', async () => {
      const books = await open();
      await expect(grant(books.store.db, into(42, 5))).rejects.toThrow('There is no account 42.');
    });

    it('up to the maximum is exact, and beyond it refused', async () => {
      const books = await open();
      const account = await books.account();
      expect(await grant(books.store.db, into(account, BALANCE_NANO_USD_MAX - 1))).toBe(BALANCE_NANO_USD_MAX - 1);
      await expect(grant(books.store.db, into(account, 2))).rejects.toThrow(/most an account can hold/);
      expect(await grant(books.store.db, into(account, 1))).toBe(BALANCE_NANO_USD_MAX);
      await expect(grant(books.store.db, into(account, 1))).rejects.toThrow(CreditRefused);
      expect(await books.balances(account)).toMatchObject({ usd: BALANCE_NANO_USD_MAX });
      expect(await books.faults()).toEqual([]);
    });

    it('made many times at once loses none', async () => {
      const books = await open();
      const account = await books.account();
      await Promise.all(Array.from({ length: 50 }, () => grant(books.store.db, into(account, 3))));
      expect(await books.balances(account)).toMatchObject({ usd: 150 });
      expect(await books.faults()).toEqual([]);
    });
  });
});
