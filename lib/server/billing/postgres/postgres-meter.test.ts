import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '../../db/api-keys';
import { grant } from '../../db/credits';
import { describeWithPostgres } from '@/test/postgres';
import { UNLIMITED } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';

// The tests in ../meter*.test.ts run on both databases. The tests here have several processes on one Postgres.

const perMinute = (requests: number) => ({
  ...UNLIMITED,
  requestsPerMinute: { standard: requests, paid: requests, staff: requests },
});
const RESERVING = { willReserve: true };
const under = (key: string, fingerprint = 'f') => ({ idempotency: { key, fingerprint } });

/** Holds a caller's lock while `work` runs, as another process's transaction does. */
async function whileLocked<T>(books: PostgresBooks, account: number, work: () => Promise<T>): Promise<T> {
  return books.store.db.transaction().execute(async (transaction) => {
    await sql`select * from meters where account_id = ${account} for update`.execute(transaction);
    return work();
  });
}

describeWithPostgres('the meter on Postgres', (server) => {
  describe('two gateways on one database', () => {
    it('hold one minute cap between them, to the request', async () => {
      const one = await PostgresBooks.open(server(), { limits: perMinute(100) });
      const two = await one.another({ limits: perMinute(100) });
      const account = await one.account({ usd: 1_000 });
      const admissions = await Promise.all(
        Array.from({ length: 160 }, (_none, index) => (index % 2 ? one : two).reserve(one.request(account, 1))),
      );
      expect(admissions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(100);
      for (const admission of admissions)
        if (admission.outcome !== 'admitted') expect(admission).toMatchObject({ refusal: { reason: 'minute-cap' } });
    });

    it('tell what is left after a replayed answer, not what was left before the charge', async () => {
      const books = await PostgresBooks.open(server(), { copyMs: 60_000 });
      const account = await books.account({ usd: 100 });
      const request = books.request(account, 10, under('k'));
      expect(await books.meter.spendable(request.caller, RESERVING)).toBe(100);
      await books.charge(request, { replayBody: Buffer.from('answer') });
      expect((await books.reserve(request)).outcome).toBe('replayed');
      expect(await books.meter.spendable(request.caller, RESERVING)).toBe(90);
    });

    it('see what the other holds: balances, key limits, credits, and keys of calls that run', async () => {
      const limits = { ...UNLIMITED, creditsPerDay: { standard: 100, paid: 100, staff: 100 } };
      const one = await PostgresBooks.open(server(), { limits });
      const two = await one.another({ limits });
      const account = await one.account({ usd: 100 });
      const key = await one.key(account, { limitUsdNano: 60 });
      const held = await one.admit(one.request(account, 50, { key, maxCredits: 60, ...under('k') }));
      expect(await two.spendable(account)).toBe(50);
      expect(await two.refusal(two.request(account, 51))).toMatchObject({ reason: 'balance', spendableNanoUsd: 50 });
      expect(await two.refusal(two.request(account, 11, { key }))).toMatchObject({ reason: 'key-limit' });
      expect(await two.refusal(two.request(account, 1, { maxCredits: 41 }))).toMatchObject({
        reason: 'credit-cap',
        remaining: 40,
      });
      expect(await two.refusal(two.request(account, 1, under('k')))).toEqual({
        reason: 'collision',
        kind: 'idempotency-key',
      });
      await one.settle(held, 50, { replayBody: Buffer.from('answer') });
      expect((await two.reserve(two.request(account, 50, under('k')))).outcome).toBe('replayed');
      expect(await two.faults()).toEqual([]);
    });

    it('agree on time, whatever their own clocks say', async () => {
      const settings = { limits: perMinute(1), clock: undefined };
      const one = await PostgresBooks.open(server(), settings);
      const account = await one.account({ usd: 100 });
      const key = await one.key(account, { expiresAt: Date.now() + 3_600_000 });
      await one.charge(one.request(account, 1, { key, now: Date.now() - 86_400_000 }));
      const two = await one.another(settings);
      const refusal = await two.refusal(two.request(account, 1, { key, now: Date.now() + 86_400_000 }));
      expect(refusal).toMatchObject({ reason: 'minute-cap' });
      expect(Math.abs((refusal as { resetAt: number }).resetAt - Date.now() - 60_000)).toBeLessThan(5_000);
    });
  });

  describe('a reservation whose process died', () => {
    it('holds until its lease ends, and then counts no more: for any balance, cap or key', async () => {
      let now = Date.UTC(2026, 10, 20);
      const limits = { ...UNLIMITED, creditsPerDay: { standard: 100, paid: 100, staff: 100 } };
      const settings = { leaseMs: 60_000, limits, clock: () => now };
      const one = await PostgresBooks.open(server(), settings);
      const account = await one.account({ diem: 10, bundled: 20, usd: 70 });
      const key = await one.key(account, { limitUsdNano: 90 });
      const call = () => one.request(account, 100, { key, maxCredits: 100, now, ...under('k') });
      await one.admit(call());
      now += 59_999;
      const two = await one.another(settings);
      expect(await two.refusal(two.request(account, 1, { now }))).toMatchObject({ reason: 'credit-cap' });
      expect(await two.spendable(account)).toBe(0);
      now += 1;
      expect(await two.spendable(account)).toBe(100);
      await two.charge(call(), { replayBody: Buffer.from('x') });
      expect(await two.balances(account)).toEqual({ diem: 0, bundled: 0, usd: 0, x402: 0 });
      expect(await two.faults()).toEqual([]);
    });

    it('is deleted, also where its caller does not return', async () => {
      let now = Date.UTC(2026, 10, 20);
      const books = await PostgresBooks.open(server(), { leaseMs: 60_000, clock: () => now });
      const accounts = [await books.account({ usd: 10 }), await books.account({ usd: 10 })];
      for (const account of accounts) await books.admit(books.request(account, 10, { now }));
      now += 30_000;
      await books.admit(books.request(await books.account({ usd: 10 }), 10, { now }));
      now += 30_000;
      await books.meter.expireLeases();
      expect(await books.reservations()).toBe(1);
      const { rows } = await sql`select sum(held_usd)::bigint as held from meters`.execute(books.store.db);
      expect(rows).toEqual([{ held: 10 }]);
    });

    it('can still be settled while nobody took what it held, and not after that', async () => {
      let now = Date.UTC(2026, 10, 20);
      const books = await PostgresBooks.open(server(), { leaseMs: 60_000, clock: () => now });
      const account = await books.account({ usd: 10 });
      const [late, tooLate] = [
        await books.admit(books.request(account, 5, { now })),
        await books.admit(books.request(account, 5, { now })),
      ];
      now += 120_000;
      await books.settle(late, 5);
      await books.charge(books.request(account, 5, { now }));
      await expect(books.settle(tooLate, 5)).rejects.toThrow(/reservation .* gone.*not charged/);
      expect(await books.balances(account)).toMatchObject({ usd: 0 });
      expect(await books.faults()).toEqual([]);
    });
  });

  describe("a caller's lock that another process holds", () => {
    it('for over two seconds is a collision', async () => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 100 });
      const startedAt = performance.now();
      const refusal = await whileLocked(books, account, () => books.refusal(books.request(account, 1)));
      expect(refusal).toEqual({ reason: 'collision', kind: 'admission-lock' });
      expect(performance.now() - startedAt).toBeGreaterThan(1_900);
      expect(performance.now() - startedAt).toBeLessThan(3_500);
      await books.charge(books.request(account, 1));
    });

    it('for less is waited for, and a charge waits longer than admission', async () => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 100 });
      const running = await books.admit(books.request(account, 10));
      const waiting = await whileLocked(books, account, async () => {
        const both = [books.settle(running, 10), books.charge(books.request(account, 20))];
        await sleep(700);
        return both;
      });
      await Promise.all(waiting);
      expect(await books.charges(account)).toEqual([
        ['usd', -10, 90],
        ['usd', -20, 70],
      ]);
    });

    it('keeps no other caller waiting', async () => {
      const books = await PostgresBooks.open(server());
      const [held, free] = [await books.account({ usd: 100 }), await books.account({ usd: 100 })];
      await books.charge(books.request(free, 1));
      await whileLocked(books, held, async () => {
        const stuck = books.reserve(books.request(held, 1));
        const startedAt = performance.now();
        for (let i = 0; i < 20; i++) await books.charge(books.request(free, 1));
        expect(performance.now() - startedAt).toBeLessThan(1_500);
        expect(await stuck).toMatchObject({ outcome: 'refused' });
      });
    });
  });

  describe('a batch', () => {
    it('with one call that cannot be done does all the others', async () => {
      const books = await PostgresBooks.open(server());
      const accounts = await Promise.all(Array.from({ length: 20 }, () => books.account({ usd: 100 })));
      await books.breakCharges('bad');
      const running = await Promise.all(accounts.map((account) => books.admit(books.request(account, 10))));
      const settled = await Promise.allSettled(
        running.map((reservation, index) =>
          books.settle(reservation, 10, { requestId: index === 7 ? 'bad' : `good${index}` }),
        ),
      );
      expect(settled.map(({ status }) => status)).toEqual(
        accounts.map((_account, index) => (index === 7 ? 'rejected' : 'fulfilled')),
      );
      for (const [index, account] of accounts.entries())
        expect(await books.spendable(account)).toBe(index === 7 ? 100 : 90);
      expect(await books.faults()).toEqual([]);
      expect(await books.reservations()).toBe(0);
    });

    it('of calls of accounts that are not there refuses those alone', async () => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 100 });
      const outcomes = await Promise.allSettled([98, account, 99].map((id) => books.reserve(books.request(id, 10))));
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
      expect(String((outcomes[2] as PromiseRejectedResult).reason)).toContain('Account 99 does not exist');
    });

    it('keeps the bodies of its calls apart, empty and large ones, and bytes that are no text', async () => {
      const room = 64 * 1024 * 1024;
      const books = await PostgresBooks.open(server(), {
        keeping: { answerBytesMax: room, callerBytesMax: room, totalBytesMax: 8 * room, callerKeysMax: 10 },
      });
      const bodies = [
        Buffer.alloc(0),
        Buffer.from([0, 255, 92, 39]),
        Buffer.alloc(3 * 1024 * 1024, 7),
        Buffer.from('é'),
        Buffer.alloc(9 * 1024 * 1024, 8),
      ];
      const accounts = await Promise.all(bodies.map(() => books.account({ usd: 100 })));
      await Promise.all(
        accounts.map((account, index) =>
          books.charge(books.request(account, 1, under('k')), { replayBody: bodies[index] ?? null }),
        ),
      );
      const replays = await Promise.all(
        accounts.map((account) => books.reserve(books.request(account, 1, under('k')))),
      );
      for (const [index, replay] of replays.entries()) {
        expect(
          replay.outcome === 'replayed' && Buffer.compare(replay.body, bodies[index] as Buffer),
          `body ${index}`,
        ).toBe(0);
      }
    });

    it('keeps the order of the calls of one caller', async () => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 10 });
      const all = await books.admit(books.request(account, 10));
      const released = books.meter.release(all);
      const next = books.admit(books.request(account, 10));
      await Promise.all([released, next]);
    });
  });

  describe('what is read before a body is looked at', () => {
    it('may be a second old, but never says no: grants and new keys count at once', async () => {
      const books = await PostgresBooks.open(server(), { copyMs: 60_000 });
      const account = await books.account();
      expect(await books.meter.findKey('later')).toBeNull();
      const key = await books.key(account);
      expect(await books.meter.findKey(key.hash)).toMatchObject({ id: key.id, accountId: account, type: 'INFERENCE' });
      expect(await books.spendable(account)).toBe(0);
      await grant(books.store.db, { accountId: account, pot: 'usd', amountNanoUsd: 10, detail: '' });
      expect(await books.spendable(account)).toBe(10);
      await grant(books.store.db, { accountId: account, pot: 'usd', amountNanoUsd: 10, detail: '' });
      expect(await books.spendable(account)).toBe(10);
    });

    it('is checked again when reserving: a revoked key and an emptied account are refused', async () => {
      const books = await PostgresBooks.open(server(), { copyMs: 60_000 });
      const account = await books.account({ usd: 10 });
      const key = await books.key(account);
      await books.meter.findKey(key.hash, RESERVING);
      const other = await books.another();
      await other.charge(other.request(account, 10));
      expect(await books.spendable(account)).toBe(10);
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({
        reason: 'balance',
        spendableNanoUsd: 0,
      });
      // The key is looked up again, because its owner may have changed whether it can spend the prepaid balance.
      expect(await books.meter.findKey(key.hash, RESERVING)).toMatchObject({ revokedAt: null });
      await revokeApiKey(books.store.db, key.id);
      expect(await books.meter.findKey(key.hash, RESERVING)).toMatchObject({ revokedAt: null });
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({ reason: 'key-revoked' });
    });

    it('may be older for a caller who reserves, until the reservation finds it wrong', async () => {
      const books = await PostgresBooks.open(server(), { copyMs: 1 });
      const account = await books.account({ usd: 10 });
      const key = await books.key(account);
      const caller = { accountId: account, apiKeyId: key.id, purse: 'account' } as const;
      await books.meter.findKey(key.hash);
      await revokeApiKey(books.store.db, key.id, 5);
      await sleep(5);
      expect(await books.meter.findKey(key.hash, RESERVING)).toMatchObject({ revokedAt: null });
      expect(await books.meter.spendable(caller, RESERVING)).toBe(10);
      expect(await books.refusal(books.request(account, 1, { key }))).toEqual({ reason: 'key-revoked' });
      expect(await books.meter.findKey(key.hash, RESERVING)).toMatchObject({ revokedAt: 5 });
    });

    it('is invalid for a caller who does not reserve, because nothing else would notice the revocation', async () => {
      const books = await PostgresBooks.open(server(), { copyMs: 60_000 });
      const key = await books.key(await books.account({ usd: 10 }));
      await books.meter.findKey(key.hash, RESERVING);
      await books.meter.findKey(key.hash);
      await revokeApiKey(books.store.db, key.id, 5);
      expect(await books.meter.findKey(key.hash)).toMatchObject({ revokedAt: 5 });
    });

    it('shares one statement where many are asked for at once', async () => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 10 });
      const keys = await Promise.all(Array.from({ length: 30 }, () => books.key(account)));
      const found = await Promise.all([...keys, ...keys].map((key) => books.meter.findKey(key.hash)));
      expect(found.map((key) => key?.id)).toEqual([...keys, ...keys].map(({ id }) => id));
    });
  });

  describe('closing', () => {
    it('waits for what was asked, and may be done twice', async () => {
      const books = await PostgresBooks.open(server());
      const account = await books.account({ usd: 100 });
      const settled = books.settle(await books.admit(books.request(account, 10)), 10);
      await turn();
      await books.meter.close();
      await settled;
      await books.meter.close();
      expect(await books.balances(account)).toMatchObject({ usd: 90 });
    });
  });
});
