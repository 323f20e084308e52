import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { refillSums } from '@/test/refill-sums';
import { readKeyUsage } from './key-usage';
import type { Pot } from './schema';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Charged {
  key: number | null;
  at: number;
  pot?: Pot;
  amount?: number;
}

/** Writes ledger rows as charges do. */
async function charge(books: MeteredStore, accountId: number, charges: readonly Charged[]): Promise<void> {
  const row = {
    account_id: accountId,
    kind: 'CHARGE',
    balance_after: 0,
    resource: 'rpc/test',
    detail: 'm',
    units: 20,
    request_id: '',
  } as const;
  const rows = charges.map(({ key, at, pot = 'usd', amount = 1 }) => ({
    ...row,
    pot,
    amount: -amount,
    api_key_id: key,
    created_at: at,
  }));
  await books.store.db.insertInto('ledger').values(rows).execute();
  await refillSums(books.store.db);
}

describeStores('what keys have spent', (open) => {
  async function keyOf(limitPeriod: 'EPOCH' | 'MONTH' | 'LIFETIME') {
    const books = await open();
    const account = await books.account();
    const { id } = await books.key(account, { limitPeriod });
    return {
      books,
      account,
      key: { id, limitPeriod },
      read: (now: number) => readKeyUsage(books.store.db, account, now),
    };
  }

  describe('usage', () => {
    it('is nothing of a key that was never charged', async () => {
      const { key, read } = await keyOf('LIFETIME');
      const nothing = { usd: 0, diem: 0 };
      expect((await read(NOW)).of(key)).toEqual({ currentPeriod: nothing, total: nothing, lastUsedAt: null });
    });

    it.each([
      ['EPOCH', 1 + 2 + 4],
      ['MONTH', 1 + 2 + 4 + 8 + 16],
      ['LIFETIME', 1 + 2 + 4 + 8 + 16 + 32],
    ] as const)('counts in the current %s what was charged since it began in UTC', async (limitPeriod, spent) => {
      const { books, account, key, read } = await keyOf(limitPeriod);
      const [day, month] = [Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 1)];
      const times = [NOW - 1_000, NOW - 2 * HOUR_MS, day, day - 1, month, month - 1];
      await charge(
        books,
        account,
        times.map((at, place) => ({ key: key.id, at, amount: 2 ** place })),
      );
      expect((await read(NOW)).of(key)).toEqual({
        currentPeriod: { usd: spent, diem: 0 },
        total: { usd: 63, diem: 0 },
        lastUsedAt: NOW - 1_000,
      });
    });

    it('keeps the daily allocation apart from bundled credits and USD, and other keys apart', async () => {
      const { books, account, key, read } = await keyOf('EPOCH');
      const other = await books.key(account);
      await charge(books, account, [
        { key: key.id, at: NOW - 2 * HOUR_MS, pot: 'diem', amount: 5 },
        { key: key.id, at: NOW - 2 * HOUR_MS, pot: 'bundled', amount: 7 },
        { key: key.id, at: NOW, pot: 'usd', amount: 11 },
        { key: other.id, at: NOW, amount: 100 },
        { key: null, at: NOW, pot: 'x402', amount: 1_000 },
      ]);
      const usage = await read(NOW);
      expect(usage.of(key).total).toEqual({ usd: 18, diem: 5 });
      expect(usage.of({ id: other.id, limitPeriod: 'EPOCH' }).total).toEqual({ usd: 100, diem: 0 });
    });

    it('counts each charge once, however often and whenever it is read, and by how many at once', async () => {
      const { books, account, key, read } = await keyOf('MONTH');
      let spent = 0;
      for (let at = NOW - 3 * DAY_MS; at <= NOW; at += 37 * 60_000) {
        await charge(books, account, [{ key: key.id, at }]);
        spent++;
        for (const usage of await Promise.all([read(at), read(at)]))
          expect(usage.of(key)).toMatchObject({ total: { usd: spent }, lastUsedAt: at });
      }
    });

    it('sees a charge that was committed late', async () => {
      const { books, account, key, read } = await keyOf('LIFETIME');
      await read(NOW);
      await charge(books, account, [{ key: key.id, at: NOW - 60_000 }]);
      expect((await read(NOW + 2 * HOUR_MS)).of(key).total.usd).toBe(1);
    });
  });
});
