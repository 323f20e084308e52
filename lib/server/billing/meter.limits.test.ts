import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MeterLimits } from './meter';
import { describeStores } from '@/test/describe-stores';
import { UNLIMITED } from '@/test/metered-store';

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

describeStores('the limits of a caller and of a key', (open) => {
  it('are those that were taken over last, by what was counted before', async () => {
    const capped = (paid: number | null): MeterLimits => ({
      ...UNLIMITED,
      requestsPerMinute: { ...UNLIMITED.requestsPerMinute, paid },
    });
    const books = await open(capped(1));
    const account = await books.account({ usd: 1_000 });
    await books.charge(books.request(account, 1));
    expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'minute-cap' });
    books.meter.takeLimits(capped(3));
    await books.charge(books.request(account, 1));
    await books.charge(books.request(account, 1));
    expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'minute-cap' });
    books.meter.takeLimits(UNLIMITED);
    await books.charge(books.request(account, 1));
  });

  describe("a key's own limit", () => {
    it('in USD counts bundled credits and USD, never the daily allocation', async () => {
      const books = await open();
      const account = await books.account({ diem: 50, bundled: 30, usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 100 });
      await books.charge(books.request(account, 50, { key }));
      await books.charge(books.request(account, 60, { key }));
      await books.charge(books.request(account, 40, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({
        reason: 'key-limit',
        currency: 'usd',
        period: 'LIFETIME',
      });
      await books.charge(books.request(account, 1));
    });

    it('in diem counts the allocation alone', async () => {
      const books = await open();
      const account = await books.account({ diem: 60, usd: 1_000 });
      const key = await books.key(account, { limitDiemNano: 50 });
      await books.charge(books.request(account, 50, { key }));
      expect(await books.refusal(books.request(account, 5, { key }))).toEqual({
        reason: 'key-limit',
        currency: 'diem',
        period: 'LIFETIME',
      });
      await books.charge(books.request(account, 10));
      await books.charge(books.request(account, 500, { key }));
    });

    it('of zero allows nothing of that currency', async () => {
      const books = await open();
      const account = await books.account({ diem: 10, usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 0 });
      await books.charge(books.request(account, 10, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toMatchObject({
        reason: 'key-limit',
        currency: 'usd',
      });
    });

    it('counts what is held as well as what is spent, and frees what was not charged', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 100 });
      const first = await books.admit(books.request(account, 60, { key }));
      const second = await books.admit(books.request(account, 40, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toMatchObject({ reason: 'key-limit' });
      await books.settle(first, 10);
      await books.meter.release(second);
      await books.charge(books.request(account, 90, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toMatchObject({ reason: 'key-limit' });
    });

    it.each([
      ['EPOCH', Date.UTC(2026, 10, 21) - 1, Date.UTC(2026, 10, 21)],
      ['MONTH', Date.UTC(2026, 11, 1) - 1, Date.UTC(2026, 11, 1)],
    ] as const)('by %s ends with the period, to the millisecond of UTC', async (limitPeriod, lastMs, firstMs) => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 100, limitPeriod });
      await books.charge(books.request(account, 100, { key }));
      vi.setSystemTime(lastMs);
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({
        reason: 'key-limit',
        currency: 'usd',
        period: limitPeriod,
      });
      vi.setSystemTime(firstMs);
      await books.charge(books.request(account, 100, { key }));
      expect(await books.refusal(books.request(account, 1, { key }))).toMatchObject({ reason: 'key-limit' });
      const spent = await books.store.db.selectFrom('key_spend').select(['period', 'usd']).orderBy('period').execute();
      expect(spent.map(({ usd }) => usd)).toEqual([100, 100]);
    });

    it('by LIFETIME never ends', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 100 });
      await books.charge(books.request(account, 100, { key }));
      vi.setSystemTime(NOON + 10_000 * DAY);
      expect(await books.refusal(books.request(account, 1, { key }))).toMatchObject({ reason: 'key-limit' });
    });

    it('a call that runs over the turn of the period counts where it is charged', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 100, limitPeriod: 'EPOCH' });
      const running = await books.admit(books.request(account, 70, { key }));
      vi.setSystemTime(NOON + DAY);
      expect(await books.refusal(books.request(account, 31, { key }))).toMatchObject({ reason: 'key-limit' });
      await books.settle(running, 70);
      expect(await books.store.db.selectFrom('key_spend').select(['period', 'usd']).execute()).toEqual([
        { period: '2026-11-21', usd: 70 },
      ]);
    });

    it('survives a restart', async () => {
      const books = await open();
      const account = await books.account({ diem: 40, usd: 1_000 });
      const key = await books.key(account, { limitUsdNano: 100, limitDiemNano: 40, limitPeriod: 'MONTH' });
      await books.charge(books.request(account, 130, { key }));
      const again = await books.reopen();
      expect(await again.refusal(again.request(account, 11, { key }))).toMatchObject({
        reason: 'key-limit',
        currency: 'usd',
      });
      await again.charge(again.request(account, 10, { key }));
    });
  });

  const caps = (requests: number | null, credits: number | null): MeterLimits => ({
    requestsPerMinute: { standard: requests, paid: requests, staff: null },
    creditsPerDay: { standard: credits, paid: credits, staff: null },
  });

  describe('the per-minute request cap', () => {
    it('refuses the first request beyond it, and says when the minute ends', async () => {
      const books = await open(caps(3, null));
      const account = await books.account({ usd: 1_000 });
      vi.setSystemTime(NOON + 123);
      await books.charge(books.request(account, 1));
      vi.setSystemTime(NOON + 59_000);
      await books.charge(books.request(account, 1));
      await books.meter.release(await books.admit(books.request(account, 1)));
      expect(await books.refusal(books.request(account, 1))).toEqual({
        reason: 'minute-cap',
        limit: 3,
        remaining: 0,
        resetAt: NOON + 123 + MINUTE,
      });
      vi.setSystemTime(NOON + 123 + MINUTE - 1);
      expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'minute-cap' });
      vi.setSystemTime(NOON + 123 + MINUTE);
      await books.charge(books.request(account, 1));
    });

    it('is of the caller, not of the key', async () => {
      const books = await open(caps(2, null));
      const account = await books.account({ usd: 1_000 });
      const [one, two] = [await books.key(account), await books.key(account)];
      await books.charge(books.request(account, 1, { key: one }));
      await books.charge(books.request(account, 1, { key: two }));
      expect(await books.refusal(books.request(account, 1, { key: one }))).toMatchObject({ reason: 'minute-cap' });
      const other = await books.account({ usd: 1_000 });
      await books.charge(books.request(other, 1));
    });

    it('does not count what was refused', async () => {
      const books = await open(caps(2, null));
      const account = await books.account({ usd: 10 });
      for (let i = 0; i < 5; i++)
        expect(await books.refusal(books.request(account, 11))).toMatchObject({ reason: 'balance' });
      await books.charge(books.request(account, 1));
      await books.charge(books.request(account, 1));
      for (let i = 0; i < 5; i++)
        expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'minute-cap' });
    });

    it('survives a restart', async () => {
      const books = await open(caps(2, null));
      const account = await books.account({ usd: 1_000 });
      await books.charge(books.request(account, 1));
      await books.charge(books.request(account, 1));
      const again = await books.reopen(caps(2, null));
      expect(await again.refusal(again.request(account, 1))).toMatchObject({
        reason: 'minute-cap',
        resetAt: NOON + MINUTE,
      });
    });

    it('follows the tier, which the operator may change at any time', async () => {
      const books = await open(caps(1, null));
      const account = await books.account({ usd: 1_000 }, 'standard');
      await books.charge(books.request(account, 1));
      expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'minute-cap' });
      await books.store.db.updateTable('accounts').set({ tier: 'staff' }).where('id', '=', account).execute();
      await turn();
      await books.charge(books.request(account, 1));
    });
  });

  describe('the rolling 24-hour credit cap', () => {
    it('counts what is held as well as what was charged', async () => {
      const books = await open(caps(null, 100));
      const account = await books.account({ usd: 1_000 });
      const held = await books.admit(books.request(account, 1, { maxCredits: 60 }));
      expect(await books.refusal(books.request(account, 1, { maxCredits: 41 }))).toMatchObject({
        reason: 'credit-cap',
        limit: 100,
        remaining: 40,
      });
      await books.settle(held, 1, { credits: 5 });
      await books.charge(books.request(account, 1, { maxCredits: 95 }), { credits: 95 });
      expect(await books.refusal(books.request(account, 1, { maxCredits: 1 }))).toMatchObject({
        reason: 'credit-cap',
        remaining: 0,
      });
    });

    it('forgets credits after 24 hours, never earlier, at most a minute later, as it announced', async () => {
      const books = await open(caps(null, 100));
      const account = await books.account({ usd: 1_000 });
      vi.setSystemTime(NOON + 30_000);
      await books.charge(books.request(account, 1, { maxCredits: 100 }), { credits: 100 });
      vi.setSystemTime(NOON + 30_000 + DAY - 1);
      const refusal = await books.refusal(books.request(account, 1, { maxCredits: 1 }));
      expect(refusal).toMatchObject({ reason: 'credit-cap', remaining: 0, resetAt: NOON + DAY + MINUTE });
      vi.setSystemTime(NOON + DAY + MINUTE - 1);
      expect(await books.refusal(books.request(account, 1, { maxCredits: 1 }))).toMatchObject({ reason: 'credit-cap' });
      vi.setSystemTime(NOON + DAY + MINUTE);
      await books.charge(books.request(account, 1, { maxCredits: 100 }), { credits: 100 });
    });

    it('survives a restart, minute by minute', async () => {
      const books = await open(caps(null, 100));
      const account = await books.account({ usd: 1_000 });
      await books.charge(books.request(account, 1), { credits: 30 });
      vi.setSystemTime(NOON + DAY / 2);
      await books.charge(books.request(account, 1), { credits: 30 });
      await books.charge(books.request(account, 1), { credits: 10 });
      const again = await books.reopen(caps(null, 100));
      expect(await again.refusal(again.request(account, 1, { maxCredits: 31 }))).toMatchObject({
        reason: 'credit-cap',
        remaining: 30,
        resetAt: NOON + DAY + MINUTE,
      });
      vi.setSystemTime(NOON + DAY + MINUTE);
      const later = await again.reopen(caps(null, 100));
      expect(await later.refusal(later.request(account, 1, { maxCredits: 61 }))).toMatchObject({ remaining: 60 });
      await later.admit(later.request(account, 1, { maxCredits: 60 }));
    });

    it('is without end for a tier that has none', async () => {
      const books = await open(caps(1, 1));
      const account = await books.account({ usd: 1_000 }, 'staff');
      for (let i = 0; i < 3; i++) await books.charge(books.request(account, 1));
      expect(UNLIMITED.creditsPerDay.staff).toBeNull();
    });
  });
});
