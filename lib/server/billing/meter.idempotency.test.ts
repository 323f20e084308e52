import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetExpired } from './forget-expired';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { SqliteBooks } from '@/test/sqlite-books';

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;
const BODY = Buffer.from('{"result":"é"}');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

const under = (key: string, fingerprint = 'f') => ({ idempotency: { key, fingerprint } });

describeStores('idempotency keys', (open) => {
  async function charged(): Promise<{ books: MeteredStore; account: number }> {
    const books = await open();
    const account = await books.account({ usd: 100 });
    await books.charge(books.request(account, 10, under('k')), { replayBody: BODY });
    return { books, account };
  }

  describe('the same key and the same request within 24 hours', () => {
    it('is answered with the kept bytes, and charges and holds nothing', async () => {
      const { books, account } = await charged();
      const admission = await books.meter.reserve(books.request(account, 10, under('k')));
      expect(admission.outcome).toBe('replayed');
      expect(admission.outcome === 'replayed' && Buffer.compare(BODY, admission.body)).toBe(0);
      expect(await books.spendable(account)).toBe(90);
    });

    it('is kept of a call that cost nothing too, without an entry in the ledger', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      await books.settle(await books.admit(books.request(account, 0, under('free'))), 0, { replayBody: BODY });
      expect((await books.meter.reserve(books.request(account, 0, under('free')))).outcome).toBe('replayed');
      expect(await books.spendable(account)).toBe(100);
      expect(await books.store.db.selectFrom('ledger').selectAll().where('kind', '=', 'CHARGE').execute()).toEqual([]);
    });

    it('needs no balance', async () => {
      const { books, account } = await charged();
      await books.charge(books.request(account, 90));
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
    });

    it('survives a restart', async () => {
      const { books, account } = await charged();
      const again = await books.reopen();
      expect((await again.meter.reserve(again.request(account, 10, under('k')))).outcome).toBe('replayed');
    });

    it('counts toward the minute cap, and is refused by it', async () => {
      const limits = {
        requestsPerMinute: { standard: 2, paid: 2, staff: 2 },
        creditsPerDay: { standard: null, paid: null, staff: null },
      };
      const books = await open(limits);
      const account = await books.account({ usd: 100 });
      await books.charge(books.request(account, 10, under('k')), { replayBody: BODY });
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
      expect(await books.refusal(books.request(account, 10, under('k')))).toMatchObject({ reason: 'minute-cap' });
    });

    it('ends after 24 hours, to the millisecond, and the key may be used for another request', async () => {
      const { books, account } = await charged();
      vi.setSystemTime(NOON + DAY - 1);
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
      vi.setSystemTime(NOON + DAY);
      await books.charge(books.request(account, 10, under('k', 'other')), { replayBody: Buffer.from('new') });
      const admission = await books.meter.reserve(books.request(account, 10, under('k', 'other')));
      expect(admission.outcome === 'replayed' && Buffer.from(admission.body).toString()).toBe('new');
      expect(await books.spendable(account)).toBe(80);
    });

    it('is deleted after that, and not before', async () => {
      const { books } = await charged();
      const count = async () => (await books.store.db.selectFrom('idempotency_records').select('key').execute()).length;
      await forgetExpired(books.store.db, NOON + DAY - 1);
      expect(await count()).toBe(1);
      await forgetExpired(books.store.db, NOON + DAY);
      expect(await count()).toBe(0);
    });
  });

  describe('the pair of caller and key', () => {
    it('refuses a different request', async () => {
      const { books, account } = await charged();
      expect(await books.refusal(books.request(account, 10, under('k', 'other')))).toEqual({ reason: 'key-reused' });
      expect(await books.spendable(account)).toBe(90);
    });

    it('keeps callers apart, and letter case', async () => {
      const { books, account } = await charged();
      const other = await books.account({ usd: 100 });
      await books.admit(books.request(other, 10, under('k', 'other')));
      await books.admit(books.request(account, 10, under('K', 'other')));
    });

    it('is shared by the keys of one account', async () => {
      const { books, account } = await charged();
      const key = await books.key(account);
      expect((await books.meter.reserve(books.request(account, 10, { key, ...under('k') }))).outcome).toBe('replayed');
    });
  });

  describe('an answer that there is no room for', () => {
    const large = (bytes: number) => ({ replayBody: Buffer.alloc(bytes, 'x') });
    const LIMITS = { answerBytesMax: 10_000, callerBytesMax: 15_000, totalBytesMax: 1_000_000, callerKeysMax: 1_000 };
    const sums = async (books: MeteredStore) =>
      (
        await books.store.db.selectFrom('idempotency_sums').select(['records', 'bytes']).orderBy('account_id').execute()
      ).map(({ records, bytes }) => [Number(records), Number(bytes)]);
    const kept = async (books: MeteredStore) =>
      (
        await books.store.db
          .selectFrom('idempotency_records')
          .select(['key', 'body', 'is_kept'])
          .orderBy('key')
          .execute()
      ).map(({ key, body, is_kept: isKept }) => [key, body.byteLength, isKept]);

    it.each([
      ['too large by itself', { replayBody: 'too-large' as const }],
      ['larger than any that is kept', large(10_001)],
    ])(
      '%s is charged, and its repetition refused without a charge or a hold, whatever the balance',
      async (_what, charge) => {
        const books = await open(undefined, LIMITS);
        const account = await books.account({ usd: 10 });
        expect(await books.charge(books.request(account, 10, under('k')), charge)).toEqual({
          remainingNanoUsd: 0,
          isUnkept: true,
        });
        expect(await kept(books)).toEqual([['k', 0, 0]]);
        for (let i = 0; i < 2; i++)
          expect(await books.refusal(books.request(account, 10, under('k')))).toEqual({ reason: 'answer-not-kept' });
        expect(await books.refusal(books.request(account, 10, under('k', 'other')))).toEqual({ reason: 'key-reused' });
        expect(await books.charges(account)).toHaveLength(1);
        const again = await books.reopen();
        expect(await again.refusal(again.request(account, 10, under('k')))).toEqual({ reason: 'answer-not-kept' });
      },
    );

    it('beyond what its caller may have kept: it alone, and not what others keep, nor what is small', async () => {
      const books = await open(undefined, LIMITS);
      const [account, other] = [await books.account({ usd: 100 }), await books.account({ usd: 100 })];
      expect(await books.charge(books.request(account, 10, under('a')), large(9_000))).toEqual({
        remainingNanoUsd: 90,
      });
      expect(await books.charge(books.request(account, 10, under('b')), large(9_000))).toEqual({
        remainingNanoUsd: 80,
        isUnkept: true,
      });
      expect(await books.charge(books.request(account, 10, under('c')), large(1_024))).toEqual({
        remainingNanoUsd: 70,
      });
      expect(await books.charge(books.request(account, 10, under('d')), large(6_000))).toEqual({
        remainingNanoUsd: 60,
      });
      expect(await books.charge(books.request(other, 10, under('a')), large(9_000))).toEqual({ remainingNanoUsd: 90 });
      expect(await sums(books)).toEqual([
        [4, 15_000],
        [1, 9_000],
      ]);
    });

    it('many that are settled at once keep no more than that', async () => {
      const books = await open(undefined, LIMITS);
      const account = await books.account({ usd: 1_000 });
      const settled = await Promise.all(
        Array.from({ length: 30 }, (_none, index) =>
          books.charge(books.request(account, 10, under(`k${index}`)), large(2_000)),
        ),
      );
      expect(settled.filter(({ isUnkept }) => !isUnkept)).toHaveLength(7);
      expect(await sums(books)).toEqual([[30, 14_000]]);
    });

    it('of all callers together nobody can leave nothing for the next', async () => {
      const books = await open(undefined, { ...LIMITS, callerBytesMax: 1_000_000, totalBytesMax: 100_000 });
      const bytes: number[] = [];
      for (let caller = 0; caller < 6; caller++) {
        const account = await books.account({ usd: 1_000 });
        for (let call = 0; call < 10; call++)
          await books.charge(books.request(account, 10, under(`k${call}`)), large(2_000));
        bytes.push((await sums(books)).at(-1)?.[1] ?? 0);
      }
      // Each answer may use an eighth of the bytes that are free.
      expect(bytes).toEqual([10_000, 10_000, 8_000, 8_000, 6_000, 6_000]);
    });

    it('has room again when what was kept has expired and is forgotten', async () => {
      const books = await open(undefined, LIMITS);
      const account = await books.account({ usd: 100 });
      for (const key of ['a', 'b']) await books.charge(books.request(account, 10, under(key)), large(9_000));
      vi.setSystemTime(NOON + DAY);
      // Uses one of the keys again. The new answer replaces the expired one.
      expect(await books.charge(books.request(account, 10, under('b', 'other')), large(5_000))).toEqual({
        remainingNanoUsd: 70,
      });
      expect(await sums(books)).toEqual([[2, 14_000]]);
      await forgetExpired(books.store.db, NOON + DAY);
      expect(await sums(books)).toEqual([[1, 5_000]]);
      expect(await books.charge(books.request(account, 10, under('a')), large(9_000))).toEqual({
        remainingNanoUsd: 60,
      });
    });

    it('is forgotten in more than one step where it is large', async () => {
      const books = await open(undefined, {
        answerBytesMax: 2_000_000,
        callerBytesMax: 64_000_000,
        totalBytesMax: 1_000_000_000,
        callerKeysMax: 1_000,
      });
      const account = await books.account({ usd: 10_000 });
      for (let i = 0; i < 9; i++) await books.charge(books.request(account, 1, under(`k${i}`)), large(1_500_000));
      const { signal } = new AbortController();
      const steps = vi.spyOn(signal, 'aborted', 'get');
      await forgetExpired(books.store.db, NOON + DAY, signal);
      expect([await sums(books), await kept(books)]).toEqual([[[0, 0]], []]);
      // These three answers have more bytes than SQLite deletes in one transaction.
      if (books instanceof SqliteBooks) expect(steps.mock.calls.length).toBeGreaterThanOrEqual(3);
    });

    it('is forgotten in more than one step where there are many, and the sums with it', async () => {
      const books = await open(undefined, LIMITS);
      const account = await books.account({ usd: 10_000 });
      for (let i = 0; i < 450; i += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_none, index) =>
            books.charge(books.request(account, 1, under(`k${i + index}`)), large(100)),
          ),
        );
      expect(await sums(books)).toEqual([[450, 0]]);
      await forgetExpired(books.store.db, NOON + DAY);
      expect([await sums(books), await kept(books)]).toEqual([[[0, 0]], []]);
    });
  });

  it('a caller has no more keys than it may: further ones are refused before the call is made, and known ones replayed', async () => {
    const books = await open(undefined, {
      answerBytesMax: 10_000,
      callerBytesMax: 15_000,
      totalBytesMax: 1_000_000,
      callerKeysMax: 2,
    });
    const [account, other] = [await books.account({ usd: 100 }), await books.account({ usd: 100 })];
    for (const key of ['a', 'b']) await books.charge(books.request(account, 10, under(key)), { replayBody: BODY });
    expect(await books.refusal(books.request(account, 10, under('c')))).toEqual({ reason: 'key-cap', limit: 2 });
    expect((await books.meter.reserve(books.request(account, 10, under('a')))).outcome).toBe('replayed');
    await books.charge(books.request(account, 10));
    await books.charge(books.request(other, 10, under('c')), { replayBody: BODY });
    expect(await books.spendable(account)).toBe(70);
  });

  describe('while the first request runs', () => {
    it('a second is a collision, whatever its body', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      const first = await books.admit(books.request(account, 10, under('k')));
      const collision = { reason: 'collision', kind: 'idempotency-key' };
      expect(await books.refusal(books.request(account, 10, under('k')))).toEqual(collision);
      expect(await books.refusal(books.request(account, 10, under('k', 'other')))).toEqual(collision);
      await books.admit(books.request(account, 10, under('another')));
      await books.settle(first, 10, { replayBody: BODY });
      expect((await books.meter.reserve(books.request(account, 10, under('k')))).outcome).toBe('replayed');
    });

    it('its failure frees the key for another try, of any body', async () => {
      const books = await open();
      const account = await books.account({ usd: 100 });
      await books.meter.release(await books.admit(books.request(account, 10, under('k'))));
      await books.charge(books.request(account, 10, under('k', 'other')), { replayBody: BODY });
      await turn();
      expect(await books.refusal(books.request(account, 10, under('k')))).toEqual({ reason: 'key-reused' });
    });
  });
});

describeWithPostgres('idempotency records of callers that are busy, on Postgres', (server) => {
  it('do not hold up those of the others, however many and old they are', async () => {
    const books = await PostgresBooks.open(server());
    const { db } = books.store;
    const [busy, other] = [await books.account({ usd: 100 }), await books.account({ usd: 100 })];
    const record = (account: number, key: string, createdAt: number) => ({
      account_id: account,
      key,
      fingerprint: 'f',
      body: BODY,
      created_at: createdAt,
    });
    await db
      .insertInto('idempotency_records')
      .values(Array.from({ length: 250 }, (_, index) => record(busy, `k${index}`, NOON - 1_000 + index)))
      .execute();
    await db
      .insertInto('idempotency_records')
      .values(record(other, 'k', NOON))
      .execute();
    await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('meters').select('account_id').where('account_id', '=', busy).forUpdate().execute();
      await forgetExpired(db, NOON + DAY);
      expect(await db.selectFrom('idempotency_records').select('account_id').distinct().execute()).toEqual([
        { account_id: busy },
      ]);
    });
    await forgetExpired(db, NOON + DAY);
    expect(await db.selectFrom('idempotency_records').select('key').execute()).toEqual([]);
    expect(
      (await db.selectFrom('idempotency_sums').select('records').execute()).map(({ records }) => Number(records)),
    ).toEqual([0, 0]);
  });
});
