import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { type Credit, CreditRefused, creditWithin } from './credits';

describeStores('money that comes in', (open) => {
  const topUp = (accountId: number, change: Partial<Credit> = {}): Credit => ({
    accountId,
    pot: 'x402',
    kind: 'TOP_UP',
    amountNanoUsd: 5,
    detail: 'why',
    requestId: 'r1',
    ...change,
  });

  describe('within a transaction', () => {
    it('is a balance and a row that says why, and is spent by sign-in', async () => {
      const books = await open();
      const { db } = books.store;
      const account = await books.account();
      expect(await db.transaction().execute((transaction) => creditWithin(transaction, topUp(account)))).toBe(5);
      expect(await books.faults()).toEqual([]);
      expect(
        await db
          .transaction()
          .execute((transaction) =>
            creditWithin(transaction, topUp(account, { kind: 'REFUND', amountNanoUsd: 2, requestId: 'r2' })),
          ),
      ).toBe(7);
      const rows = await db
        .selectFrom('ledger')
        .select(['pot', 'kind', 'amount', 'balance_after', 'resource', 'detail', 'request_id'])
        .orderBy('id')
        .execute();
      expect(rows).toEqual([
        {
          pot: 'x402',
          kind: 'TOP_UP',
          amount: 5,
          balance_after: 5,
          resource: 'top-up',
          detail: 'why',
          request_id: 'r1',
        },
        {
          pot: 'x402',
          kind: 'REFUND',
          amount: 2,
          balance_after: 7,
          resource: 'refund',
          detail: 'why',
          request_id: 'r2',
        },
      ]);
      await new Promise(setImmediate);
      expect(await books.meter.spendable({ accountId: account, apiKeyId: null, purse: 'x402' })).toBe(7);
      // The ledger is consistent, but the refunded video is missing.
      expect(await books.faults()).toEqual([
        expect.stringContaining('refunds "why"'),
        expect.stringContaining('refunded in'),
      ]);
    });

    it('is undone with it', async () => {
      const books = await open();
      const account = await books.account({}, 'standard');
      const failing = books.store.db.transaction().execute(async (transaction) => {
        await creditWithin(transaction, topUp(account));
        throw new Error('undone');
      });
      await expect(failing).rejects.toThrow('undone');
      expect(await books.balances(account)).toMatchObject({ x402: 0 });
      expect(await books.store.db.selectFrom('accounts').select('tier').execute()).toEqual([{ tier: 'standard' }]);
      expect(await books.store.db.selectFrom('ledger').selectAll().execute()).toEqual([]);
    });

    it.each([0, -5, 0.1, NaN])('is refused for %s', async (amountNanoUsd) => {
      const books = await open();
      const account = await books.account();
      await expect(creditWithin(books.store.db, topUp(account, { amountNanoUsd }))).rejects.toThrow(CreditRefused);
      await expect(creditWithin(books.store.db, topUp(account + 1))).rejects.toThrow(/There is no account/);
    });
  });

  describe('the tier', () => {
    it.each([
      ['TOP_UP', 'x402', 'standard', 'paid'],
      ['GRANT', 'usd', 'standard', 'paid'],
      ['GRANT', 'bundled', 'standard', 'standard'],
      ['REFUND', 'x402', 'standard', 'standard'],
      ['TOP_UP', 'x402', 'staff', 'staff'],
    ] as const)('after %s to %s is, from %s, %s', async (kind, pot, before, after) => {
      const books = await open();
      const account = await books.account({}, before);
      await creditWithin(books.store.db, topUp(account, { kind, pot }));
      expect(await books.store.db.selectFrom('accounts').select('tier').execute()).toEqual([{ tier: after }]);
    });
  });
});
