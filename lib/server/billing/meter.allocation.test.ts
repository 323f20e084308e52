import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { epochAt } from './rules/epoch';

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);
const EPOCH = epochAt(NOON);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the daily balance's ledger rows: kind, amount, balance afterwards. */
async function history(books: MeteredStore, accountId: number): Promise<[string, number, number][]> {
  const rows = await books.store.db
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('pot', '=', 'diem')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, amount, balance_after: after }) => [kind, amount, after]);
}

describeStores('the daily allocation', (open) => {
  describe('is fixed once an epoch', () => {
    it('and neither grows nor shrinks until 00:00 UTC', async () => {
      const books = await open();
      const account = await books.account();
      expect(await books.meter.allocation(account)).toBeNull();
      expect(await books.allocate(account, 100)).toEqual({ epoch: EPOCH, amountNanoUsd: 100 });
      expect(await books.allocate(account, 900)).toEqual({ epoch: EPOCH, amountNanoUsd: 100 });
      vi.setSystemTime(MIDNIGHT - 1);
      expect(await books.allocate(account, 1)).toEqual({ epoch: EPOCH, amountNanoUsd: 100 });
      expect(await books.meter.allocation(account)).toEqual({ epoch: EPOCH, amountNanoUsd: 100 });
      expect(await books.spendable(account)).toBe(100);
      expect(await history(books, account)).toEqual([['ALLOCATION', 100, 100]]);
    });

    it('even where it is spent', async () => {
      const books = await open();
      const account = await books.account();
      await books.allocate(account, 100);
      await books.charge(books.request(account, 100));
      await books.allocate(account, 100);
      expect(await books.refusal(books.request(account, 1))).toEqual({ reason: 'balance', spendableNanoUsd: 0 });
      expect(await books.faults()).toEqual([]);
    });

    it('by many at once, with one row of the ledger and one record of what it came from', async () => {
      const books = await open();
      const account = await books.account({ usd: 5 });
      const amounts = await Promise.all(
        Array.from({ length: 20 }, (_none, index) => books.allocate(account, 100 + index)),
      );
      expect(new Set(amounts.map((allocation) => allocation?.amountNanoUsd)).size).toBe(1);
      expect(await history(books, account)).toHaveLength(1);
      expect(
        await books.store.db.selectFrom('allocations').select(['account_id', 'epoch', 'staked', 'pool']).execute(),
      ).toEqual([{ account_id: account, epoch: EPOCH, staked: '1', pool: '1' }]);
    });

    it('and is found again after a restart', async () => {
      const books = await open();
      const account = await books.account();
      await books.allocate(account, 100);
      await books.charge(books.request(account, 30));
      const again = await books.reopen();
      expect(await again.allocate(account, 900)).toEqual({ epoch: EPOCH, amountNanoUsd: 100 });
      expect(await again.spendable(account)).toBe(70);
    });

    it('beside charges that are under way, without losing one', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const charges = Array.from({ length: 10 }, () => books.charge(books.request(account, 10)));
      await books.allocate(account, 50);
      await Promise.all(charges);
      const { diem, usd } = await books.balances(account);
      expect(diem + usd).toBe(950);
      expect(await books.faults()).toEqual([]);
    });
  });

  describe("at the epoch's turn", () => {
    it('what was left is not spendable any more, before the new one is fixed either, and expires with it', async () => {
      const books = await open();
      const account = await books.account({ usd: 5 });
      await books.allocate(account, 100);
      await books.charge(books.request(account, 30));
      vi.setSystemTime(MIDNIGHT);
      await turn();
      expect(await books.meter.allocation(account)).toBeNull();
      expect(await books.spendable(account)).toBe(5);
      expect(await books.refusal(books.request(account, 6))).toEqual({ reason: 'balance', spendableNanoUsd: 5 });
      expect(await books.allocate(account, 40)).toEqual({ epoch: EPOCH + 1, amountNanoUsd: 40 });
      expect(await books.spendable(account)).toBe(45);
      expect(await history(books, account)).toEqual([
        ['ALLOCATION', 100, 100],
        ['CHARGE', -30, 70],
        ['EXPIRY', -70, 0],
        ['ALLOCATION', 40, 40],
      ]);
      expect(await books.faults()).toEqual([]);
    });

    it('a spent-out epoch leaves nothing to expire', async () => {
      const books = await open();
      const account = await books.account();
      await books.allocate(account, 100);
      await books.charge(books.request(account, 100));
      vi.setSystemTime(MIDNIGHT);
      await books.allocate(account, 100);
      expect((await history(books, account)).map(([kind]) => kind)).toEqual(['ALLOCATION', 'CHARGE', 'ALLOCATION']);
      expect(await books.spendable(account)).toBe(100);
    });

    it('days without a call are no allocations', async () => {
      const books = await open();
      const account = await books.account();
      await books.allocate(account, 100);
      vi.setSystemTime(NOON + 9 * DAY);
      await books.allocate(account, 60);
      expect(await books.spendable(account)).toBe(60);
      expect(await history(books, account)).toEqual([
        ['ALLOCATION', 100, 100],
        ['EXPIRY', -100, 0],
        ['ALLOCATION', 60, 60],
      ]);
    });

    it('that is read after a restart: yesterday is not spendable', async () => {
      const books = await open();
      const account = await books.account();
      await books.allocate(account, 100);
      vi.setSystemTime(MIDNIGHT);
      const again = await books.reopen();
      expect(await again.spendable(account)).toBe(0);
      await again.allocate(account, 10);
      expect(await again.spendable(account)).toBe(10);
    });
  });

  describe('a call that runs over midnight', () => {
    /** Returns a call that holds 60 of the daily balance and 5 of USD when its day ends. */
    async function overMidnight() {
      const books = await open();
      const account = await books.account({ usd: 50 });
      await books.allocate(account, 60);
      const running = await books.admit(books.request(account, 65));
      vi.setSystemTime(MIDNIGHT);
      return { books, account, running };
    }

    it('is charged from the old epoch, before the new one is fixed', async () => {
      const { books, account, running } = await overMidnight();
      expect(await books.settle(running, 45)).toEqual({ remainingNanoUsd: 50 });
      expect(await books.spendable(account)).toBe(50);
      await books.allocate(account, 100);
      expect(await books.spendable(account)).toBe(150);
      expect(await history(books, account)).toEqual([
        ['ALLOCATION', 60, 60],
        ['CHARGE', -45, 15],
        ['EXPIRY', -15, 0],
        ['ALLOCATION', 100, 100],
      ]);
    });

    it('is charged from the old epoch, after the new one is fixed, which keeps its amount', async () => {
      const { books, account, running } = await overMidnight();
      await books.allocate(account, 100);
      expect(await books.spendable(account)).toBe(145);
      expect(await books.settle(running, 62)).toEqual({ remainingNanoUsd: 148 });
      expect(await books.spendable(account)).toBe(148);
      expect(await history(books, account)).toEqual([
        ['ALLOCATION', 60, 60],
        ['ALLOCATION', 100, 160],
        ['CHARGE', -60, 100],
      ]);
      expect(await books.faults()).toEqual([]);
    });

    it('frees nothing into the new epoch where it costs less, and what it freed expires with the next', async () => {
      const { books, account, running } = await overMidnight();
      await books.allocate(account, 100);
      await books.settle(running, 10);
      expect(await books.spendable(account)).toBe(150);
      expect(await books.refusal(books.request(account, 151))).toEqual({ reason: 'balance', spendableNanoUsd: 150 });
      const again = await books.reopen();
      expect(await again.spendable(account)).toBe(150);
      vi.setSystemTime(MIDNIGHT + DAY);
      await again.allocate(account, 7);
      expect(await again.spendable(account)).toBe(57);
      expect((await history(again, account)).slice(1)).toEqual([
        ['ALLOCATION', 100, 160],
        ['CHARGE', -10, 150],
        ['EXPIRY', -150, 0],
        ['ALLOCATION', 7, 7],
      ]);
      expect(await again.faults()).toEqual([]);
    });

    it('frees nothing into the new epoch where it fails', async () => {
      const { books, account, running } = await overMidnight();
      await books.allocate(account, 100);
      await books.meter.release(running);
      await books.meter.release(running);
      expect(await books.spendable(account)).toBe(150);
      await books.charge(books.request(account, 150));
      expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'balance' });
    });

    it('frees nothing into the new epoch where its process dies', async () => {
      const { books, account } = await overMidnight();
      await books.allocate(account, 100);
      const again = await books.reopen();
      const held = again.countsUncommitted ? 0 : 5;
      expect(await again.spendable(account)).toBe(150 - held);
      await again.charge(again.request(account, 100));
      expect(await again.spendable(account)).toBe(50 - held);
    });

    it('or over two is charged from the epoch in which it began', async () => {
      const { books, account, running } = await overMidnight();
      await books.allocate(account, 100);
      const second = await books.admit(books.request(account, 30));
      vi.setSystemTime(MIDNIGHT + DAY);
      await books.allocate(account, 20);
      expect(await books.spendable(account)).toBe(65);
      await books.settle(running, 65);
      await books.meter.release(second);
      expect(await books.spendable(account)).toBe(65);
      expect(await history(books, account)).toEqual([
        ['ALLOCATION', 60, 60],
        ['ALLOCATION', 100, 160],
        ['EXPIRY', -70, 90],
        ['ALLOCATION', 20, 110],
        ['CHARGE', -60, 50],
      ]);
      expect(await books.faults()).toEqual([]);
    });

    it('whose charge cannot be written charges nothing, and leaves the new epoch whole', async () => {
      const { books, account, running } = await overMidnight();
      await books.allocate(account, 100);
      await books.breakCharges('bad');
      await expect(books.settle(running, 60, { requestId: 'bad' })).rejects.toThrow('disk full');
      await books.repairCharges();
      expect(await books.spendable(account)).toBe(150);
      await books.charge(books.request(account, 150));
      vi.setSystemTime(MIDNIGHT + DAY);
      await books.allocate(account, 1);
      expect((await history(books, account)).slice(2)).toEqual([
        ['CHARGE', -100, 60],
        ['EXPIRY', -60, 0],
        ['ALLOCATION', 1, 1],
      ]);
      expect(await books.faults()).toEqual([]);
    });
  });

  describe('a clock that goes back', () => {
    it('over midnight takes away nothing, and gives nothing twice', async () => {
      const books = await open();
      const account = await books.account();
      vi.setSystemTime(MIDNIGHT);
      await books.allocate(account, 100);
      vi.setSystemTime(MIDNIGHT - 1);
      expect(await books.spendable(account)).toBe(100);
      expect(await books.allocate(account, 100)).toEqual({ epoch: EPOCH + 1, amountNanoUsd: 100 });
      await books.charge(books.request(account, 60));
      vi.setSystemTime(MIDNIGHT);
      await books.allocate(account, 100);
      expect(await books.spendable(account)).toBe(40);
    });

    it('by days, after it was wrong, finds each epoch at most once', async () => {
      const books = await open();
      const account = await books.account();
      await books.allocate(account, 100);
      vi.setSystemTime(NOON + 30 * DAY);
      await books.allocate(account, 100);
      vi.setSystemTime(NOON);
      await books.allocate(account, 100);
      expect(await books.spendable(account)).toBe(0);
      vi.setSystemTime(NOON + DAY);
      await books.allocate(account, 100);
      expect(await books.spendable(account)).toBe(100);
      expect(await books.faults()).toEqual([]);
    });
  });

  describe('a key with a limit', () => {
    it('in diem by EPOCH starts anew with the allocation', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      const key = await books.key(account, { limitDiemNano: 50, limitPeriod: 'EPOCH' });
      await books.allocate(account, 80);
      await books.charge(books.request(account, 50, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({
        reason: 'key-limit',
        currency: 'diem',
        period: 'EPOCH',
      });
      vi.setSystemTime(MIDNIGHT);
      await books.allocate(account, 80);
      await books.charge(books.request(account, 50, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toMatchObject({ currency: 'diem' });
    });
  });

  describe('what is left', () => {
    it('is said on admission, beside what is held, and after the charge, with what others hold', async () => {
      const books = await open();
      const account = await books.account({ diem: 10, bundled: 20, usd: 30, x402: 7 });
      const first = await books.reserve(books.request(account, 15));
      expect(first).toMatchObject({ outcome: 'admitted', remainingNanoUsd: 45 });
      const second = await books.admit(books.request(account, 5));
      expect(await books.settle(second, 5)).toEqual({ remainingNanoUsd: 55 });
      const caller = { accountId: account, apiKeyId: null, purse: 'x402' } as const;
      const wallet = await books.reserve(books.request(account, 5, { caller }));
      expect(wallet).toMatchObject({ remainingNanoUsd: 2 });
      if (wallet.outcome !== 'admitted') throw new Error('Not admitted.');
      expect(await books.settle(wallet.reservation, 3)).toEqual({ remainingNanoUsd: 4 });
    });
  });
});
