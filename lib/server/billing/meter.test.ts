import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '../db/api-keys';
import { grant } from '../db/credits';
import { describeStores } from '@/test/describe-stores';

describeStores('the meter', (open) => {
  describe('reserve, settle and release', () => {
    it('holds the most a call can cost, charges what it did cost, frees the rest', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const reservation = await books.admit(books.request(account, 600));
      expect(await books.spendable(account)).toBe(400);
      expect(await books.balances(account)).toMatchObject({ usd: 1_000 });
      await books.settle(reservation, 250);
      expect(await books.spendable(account)).toBe(750);
      expect(await books.balances(account)).toMatchObject({ usd: 750 });
      expect(await books.charges(account)).toEqual([['usd', -250, 750]]);
      expect(await books.faults()).toEqual([]);
    });

    it('release frees all and leaves no trace, and twice is once', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const reservation = await books.admit(books.request(account, 600));
      await books.meter.release(reservation);
      await books.meter.release(reservation);
      expect(await books.spendable(account)).toBe(1_000);
      await turn();
      expect(await books.charges(account)).toEqual([]);
    });

    it('release after settling changes nothing, before the commit and after', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const reservation = await books.admit(books.request(account, 600));
      const settled = books.settle(reservation, 600);
      await books.meter.release(reservation);
      expect(await books.spendable(account)).toBe(400);
      await settled;
      await books.meter.release(reservation);
      expect(await books.spendable(account)).toBe(400);
    });

    it('refuses to settle twice, after a release, or more than was reserved, and charges nothing for it', async () => {
      const books = await open();
      const account = await books.account({ usd: 1_000 });
      const once = await books.admit(books.request(account, 100));
      await books.settle(once, 100);
      await expect(books.settle(once, 100)).rejects.toThrow('once');
      const released = await books.admit(books.request(account, 100));
      await books.meter.release(released);
      await expect(books.settle(released, 100)).rejects.toThrow('once');
      const tooMuch = await books.admit(books.request(account, 100));
      await expect(books.settle(tooMuch, 101)).rejects.toThrow('exceed');
      await books.meter.release(tooMuch);
      await turn();
      expect(await books.balances(account)).toMatchObject({ usd: 900 });
    });

    it('charges nothing and writes no ledger row for an amount of zero', async () => {
      const books = await open();
      const account = await books.account({ usd: 5 });
      await books.settle(await books.admit(books.request(account, 5)), 0);
      expect(await books.charges(account)).toEqual([]);
      expect(await books.spendable(account)).toBe(5);
    });

    it('refuses a call for lack of one billionth, naming what is there', async () => {
      const books = await open();
      const account = await books.account({ bundled: 40, usd: 59 });
      expect(await books.refusal(books.request(account, 100))).toEqual({ reason: 'balance', spendableNanoUsd: 99 });
      await books.admit(books.request(account, 99));
      expect(await books.refusal(books.request(account, 1))).toEqual({ reason: 'balance', spendableNanoUsd: 0 });
    });

    it('commits what is queued when it closes', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      const settled = books.settle(await books.admit(books.request(account, 100)), 60);
      await books.meter.close();
      expect(await books.balances(account)).toMatchObject({ usd: 40 });
      await settled;
    });

    it('does not know an account that is not there', async () => {
      const books = await open();
      await expect(books.spendable(99)).rejects.toThrow('99');
      expect(await books.meter.findKey('nothing')).toBeNull();
    });
  });

  describe('spending order: daily allocation, then bundled credits, then USD (spec, Authentication)', () => {
    it('empties one pot before the next', async () => {
      const books = await open();
      const account = await books.account({ diem: 10, bundled: 10, usd: 10 });
      for (const amount of [4, 6, 5]) await books.charge(books.request(account, amount));
      expect(await books.charges(account)).toEqual([
        ['diem', -4, 6],
        ['diem', -6, 0],
        ['bundled', -5, 5],
      ]);
    });

    it('writes one ledger row for each pot that a charge spans', async () => {
      const books = await open();
      const account = await books.account({ diem: 3, bundled: 5, usd: 100 });
      await books.charge(books.request(account, 20));
      expect(await books.charges(account)).toEqual([
        ['diem', -3, 0],
        ['bundled', -5, 0],
        ['usd', -12, 88],
      ]);
      expect(await books.balances(account)).toEqual({ diem: 0, bundled: 0, usd: 88, x402: 0 });
      expect(await books.store.db.selectFrom('usage').select(['amount', 'units']).execute()).toEqual([
        { amount: 20, units: 20 },
      ]);
      expect(await books.faults()).toEqual([]);
    });

    it('frees the later pots first where a call costs less than was held', async () => {
      const books = await open();
      const account = await books.account({ diem: 3, bundled: 5, usd: 100 });
      await books.settle(await books.admit(books.request(account, 20)), 6);
      expect(await books.balances(account)).toEqual({ diem: 0, bundled: 2, usd: 100, x402: 0 });
    });

    it('keeps the purses apart: keys never spend the x402 pot, sign-ins nothing else', async () => {
      const books = await open();
      const account = await books.account({ usd: 10, x402: 7 });
      const wallet = { accountId: account, apiKeyId: null, purse: 'x402' } as const;
      expect([await books.spendable(account), await books.meter.spendable(wallet)]).toEqual([10, 7]);
      expect(await books.refusal(books.request(account, 11))).toMatchObject({ reason: 'balance' });
      await books.charge(books.request(account, 5, { caller: wallet }));
      expect(await books.refusal(books.request(account, 3, { caller: wallet }))).toEqual({
        reason: 'balance',
        spendableNanoUsd: 2,
      });
      expect(await books.balances(account)).toMatchObject({ usd: 10, x402: 2 });
    });
  });

  describe('balances cannot go negative, whatever runs in parallel', () => {
    it('64 calls with money for 10: 10 are admitted and 54 refused, and the ledger sums to the balance', async () => {
      const books = await open();
      const account = await books.account({ bundled: 35, usd: 65 });
      const outcomes = await Promise.all(
        Array.from({ length: 64 }, async (_none, index) => {
          if (index % 5 === 0) await turn();
          const admission = await books.meter.reserve(books.request(account, 10));
          if (admission.outcome !== 'admitted') return admission.outcome;
          await turn();
          await books.settle(admission.reservation, 10);
          return 'charged';
        }),
      );
      expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(54);
      expect(await books.balances(account)).toEqual({ diem: 0, bundled: 0, usd: 0, x402: 0 });
      expect(await books.faults()).toEqual([]);
    });
  });

  describe('what another process commits', () => {
    it('counts from the next turn on: grants, and the tier', async () => {
      const books = await open();
      const account = await books.account({ usd: 5 });
      const other = await books.connect();
      expect(await books.spendable(account)).toBe(5);
      await grant(other, { accountId: account, pot: 'usd', amountNanoUsd: 10, detail: '' });
      await turn();
      expect(await books.spendable(account)).toBe(15);
    });

    it('a revoked key is refused with the next request, at look-up and at reserve', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      const key = await books.key(account);
      await books.charge(books.request(account, 1, { key }));
      await revokeApiKey(books.store.db, key.id);
      await turn();
      expect((await books.meter.findKey(key.hash))?.revokedAt).toEqual(expect.any(Number));
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({ reason: 'key-revoked' });
    });

    it('a key that expires between look-up and reserve is refused, to the millisecond', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      const expiresAt = Date.now() + 60_000;
      const key = await books.key(account, { expiresAt });
      await books.admit(books.request(account, 1, { key, now: expiresAt - 1 }));
      expect(await books.refusal(books.request(account, 1, { key, now: expiresAt }))).toEqual({
        reason: 'key-expired',
      });
      expect(await books.refusal(books.request(account, 1, { key: { id: 9, hash: 'unknown' } }))).toEqual({
        reason: 'key-revoked',
      });
    });
  });
});
