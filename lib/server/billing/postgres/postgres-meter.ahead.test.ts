import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { revokeApiKey } from '../../db/api-keys';
import { POTS } from '../../db/schema';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { ChargeRefused } from '../refusal-error';
import type { Refusal, Reservation, ReserveRequest } from '../meter';

const NOON = Date.UTC(2026, 10, 20, 12);
/** Caches values as a gateway does. Without a cache, no call runs before admission. */
const copies = { copyMs: 60_000 };
const capped = (requests: number | null, credits: number | null) => ({
  requestsPerMinute: { standard: requests, paid: requests, staff: requests },
  creditsPerDay: { standard: credits, paid: credits, staff: credits },
});

type Settings = NonNullable<Parameters<PostgresBooks['request']>[2]>;

/** Reserves a call that may run before admission, for a caller whose balance the gateway knows. */
async function ahead(
  books: PostgresBooks,
  account: number,
  max: number,
  settings: Settings = {},
): Promise<ReserveRequest> {
  const request = books.request(account, max, { deferrable: true, ...settings });
  await books.meter.spendable(request.caller, { willReserve: true });
  return request;
}

/** Returns why the charge of a call that ran before admission is refused. */
async function refusedCharge(books: PostgresBooks, reservation: Reservation, amount: number): Promise<Refusal> {
  const error: unknown = await books.settle(reservation, amount).then(
    () => new Error('It was charged.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ChargeRefused)) throw error;
  return error.refusal;
}

describeWithPostgres('calls that are made before they are admitted', (server) => {
  it('hold nothing, and are admitted and charged in one step: one row of the ledger, with what is left', async () => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ diem: 30, bundled: 1_000, usd: 100_000 });
    const key = await books.key(account);
    const reservation = await books.admit(await ahead(books, account, 500, { key }));
    expect(await books.reservations()).toBe(0);
    expect(await books.charges(account)).toEqual([]);
    expect(await books.settle(reservation, 40)).toEqual({ remainingNanoUsd: 100_990 });
    await expect(books.settle(reservation, 40)).rejects.toThrow('once');
    expect(await books.charges(account)).toEqual([
      ['diem', -30, 0],
      ['bundled', -10, 990],
    ]);
    const row = await books.store.db
      .selectFrom('ledger')
      .selectAll()
      .where('kind', '=', 'CHARGE')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ api_key_id: key.id, resource: 'rpc/test', detail: 'm', units: 20, request_id: 'r0' });
    expect(await books.reservations()).toBe(0);
    expect(await books.faults()).toEqual([]);
  });

  it('are paid from the purse of a wallet that signed in, too', async () => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ x402: 10_000, usd: 10_000 });
    const caller = { accountId: account, apiKeyId: null, purse: 'x402' } as const;
    const reservation = await books.admit(await ahead(books, account, 100, { caller }));
    expect(await books.settle(reservation, 100)).toEqual({ remainingNanoUsd: 9_900 });
    expect(await books.charges(account)).toEqual([['x402', -100, 9_900]]);
    expect(await books.reservations()).toBe(0);
  });

  it.each<[string, Settings]>([
    ['has an idempotency key', { idempotency: { key: 'k', fingerprint: 'f' } }],
    ['changes something', { deferrable: false }],
    ['costs more than a small part of the balance', { maxNanoUsd: 200 }],
  ])('are not those of whoever %s', async (_what, settings) => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ usd: 10_000 });
    await books.admit(await ahead(books, account, 100, settings));
    expect(await books.reservations()).toBe(1);
  });

  it('cost together at most an eighth of what their caller can spend', async () => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ usd: 64_000 });
    const request = await ahead(books, account, 1_000);
    const running = [];
    for (let i = 0; i < 10; i++) running.push(await books.admit(request));
    expect(await books.reservations()).toBe(2);
    await Promise.all(running.map((reservation) => books.settle(reservation, 10)));
    expect(await books.balances(account)).toMatchObject({ usd: 63_900 });
    await books.admit({ ...request, maxNanoUsd: 100 });
    expect(await books.reservations()).toBe(0);
    expect(await books.faults()).toEqual([]);
  });

  it('of one caller at once are charged one after the other: each balance to its end, with what is left after each', async () => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ diem: 25, bundled: 10, usd: 100_000 });
    const other = await books.account({ x402: 10_000 });
    const request = await ahead(books, account, 10);
    const wallet = await ahead(books, other, 10, { caller: { accountId: other, apiKeyId: null, purse: 'x402' } });
    const running = [];
    for (const asked of [request, wallet, request, request, wallet, request, request])
      running.push(await books.admit(asked));
    const left = await Promise.all(running.map((reservation) => books.settle(reservation, 10)));
    expect(left.map(({ remainingNanoUsd }) => remainingNanoUsd)).toEqual([
      100_025, 9_990, 100_015, 100_005, 9_980, 99_995, 99_985,
    ]);
    expect(await books.charges(account)).toEqual([
      ['diem', -10, 15],
      ['diem', -10, 5],
      ['diem', -5, 0],
      ['bundled', -5, 5],
      ['bundled', -5, 0],
      ['usd', -5, 99_995],
      ['usd', -10, 99_985],
    ]);
    expect(await books.charges(other)).toEqual([
      ['x402', -10, 9_990],
      ['x402', -10, 9_980],
    ]);
    expect(await books.faults()).toEqual([]);
  });

  it('of one caller at two gateways at once are all charged, within the money that there is', async () => {
    const one = await PostgresBooks.open(server(), copies);
    const two = await one.another(copies);
    const account = await one.account({ usd: 10_000 });
    const requests = [await ahead(one, account, 150), await ahead(two, account, 150)];
    let calls = 0;
    const charge = async (books: PostgresBooks, request: ReserveRequest) =>
      books.settle(await books.admit(request), 150, { requestId: `call ${calls++}` });
    const made: PromiseSettledResult<unknown>[] = [];
    // After the first wave, the gateways wait for each other without a first attempt.
    for (let wave = 0; wave < 5; wave++)
      made.push(
        ...(await Promise.allSettled(
          Array.from({ length: 20 }, (_none, i) => charge(i % 2 ? two : one, requests[i % 2] as ReserveRequest)),
        )),
      );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(66);
    expect(await one.balances(account)).toMatchObject({ usd: 100 });
    expect(await one.charges(account)).toHaveLength(66);
    expect(await one.faults()).toEqual([]);
  });

  it('are charged once where their meter becomes free while another caller of the statement begins a minute', async () => {
    let now = NOON;
    const books = await PostgresBooks.open(server(), { limits: capped(null, 6_400), ...copies, clock: () => now });
    const { db } = books.store;
    const [busy, begins] = [await books.account({ usd: 10_000 }), await books.account({ usd: 10_000 })];
    await books.settle(await books.admit(await ahead(books, begins, 10, { now })), 10);
    now += 60_000;
    const request = await ahead(books, busy, 10, { now });
    await books.settle(await books.admit(request), 10);
    const running = [await books.admit(request), await books.admit(await ahead(books, begins, 10, { now }))];
    const settled = await db.transaction().execute(async (transaction) => {
      await sql`select from meters where account_id = ${busy} for update`.execute(transaction);
      // The statement waits for this row after it has skipped the busy caller.
      await sql`insert into credit_minutes values (${begins}, ${NOON / 60_000}, 0)`.execute(transaction);
      const both = Promise.all(running.map((reservation) => books.settle(reservation, 10)));
      await vi.waitUntil(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(db);
        return rows.length > 0;
      });
      return { both };
    });
    await settled.both;
    for (const account of [busy, begins]) expect(await books.charges(account)).toHaveLength(2);
    expect(await books.faults()).toEqual([]);
  });

  it('of one caller are charged together or not at all, where their meter becomes free between them', async () => {
    const books = await PostgresBooks.open(server());
    const { db } = books.store;
    const account = await books.account({ usd: 10_000 });
    await sql`update meters set credits_minute = ${NOON / 60_000}`.execute(db);
    // Many calls of no caller are between the two, so that the statement takes long to reach the second.
    const between = 400_000;
    const fill = (value: string, count = between + 2) => sql.raw(`array_fill(${value}, array[${count}])`);
    const ends = (first: number, last: number) =>
      sql.raw(`array[${first}]::bigint[] || array_fill(0::bigint, array[${between}]) || array[${last}]::bigint[]`);
    const charged = await db.transaction().execute(async (transaction) => {
      await sql`select from meters where account_id = ${account} for update`.execute(transaction);
      const asked = sql<{ items: number[] }>`select items from turnpike_charge_at_once(${ends(account, account)},
        ${fill(`${NOON}::bigint`)}, ${fill("'account'::text")}, ${fill('null::text')}, ${fill('null::bigint')}, ${fill('10::bigint')},
        ${fill('20::bigint')}, ${fill('20::bigint')}, ${fill("'rpc/test'::text")}, ${fill("'m'::text")}, array['one'] || ${fill("'none'::text", between)} || array['two'], '{}',
        null, ${ends(0, 10)}, ${fill('20::bigint')}, ${fill('40::bigint')}, ${fill('2')}, (${ends(1, 0)})::integer[])`.execute(
        db,
      );
      await vi.waitUntil(
        async () => {
          const { rows } =
            await sql`select from pg_locks where relation = 'meters'::regclass and mode = 'RowShareLock'`.execute(db);
          return rows.length > 1;
        },
        { timeout: 20_000 },
      );
      await sleep(100);
      return { asked };
    });
    const { rows } = await charged.asked;
    expect([0, 2]).toContain(rows[0]?.items.length);
    expect(await books.faults()).toEqual([]);
  });

  it('count toward the credits of 24 hours, whichever minute they come in', async () => {
    let now = NOON;
    const books = await PostgresBooks.open(server(), { limits: capped(null, 6_400), ...copies, clock: () => now });
    const account = await books.account({ usd: 1_000_000 });
    const counted = async (minute: number, calls: number): Promise<number> => {
      now = NOON + minute * 60_000;
      const request = await ahead(books, account, 10, { now });
      await Promise.all(Array.from({ length: calls }, async () => books.settle(await books.admit(request), 10)));
      const { credits_total: total } = await sql<{
        credits_total: number;
      }>`select credits_total from meters where account_id = ${account}`
        .execute(books.store.db)
        .then(({ rows }) => rows[0] as { credits_total: number });
      return total;
    };
    expect(await counted(0, 3)).toBe(60);
    expect(await counted(1, 2)).toBe(100);
    expect(await counted(5, 1)).toBe(120);
    expect(await counted(1_440, 1)).toBe(140);
    expect(await counted(1_441, 1)).toBe(100);
    expect(await counted(1_446, 2)).toBe(80);
    expect(await books.reservations()).toBe(0);
  });

  it('are refused when they are charged, where another gateway spent the money meanwhile; the next one is admitted first', async () => {
    const one = await PostgresBooks.open(server(), copies);
    const two = await one.another();
    const account = await one.account({ usd: 10_000 });
    const request = await ahead(one, account, 100);
    const reservation = await one.admit(request);
    await two.charge(two.request(account, 9_950));
    expect(await refusedCharge(one, reservation, 100)).toEqual({ reason: 'balance', spendableNanoUsd: 50 });
    expect(await one.refusal(request)).toEqual({ reason: 'balance', spendableNanoUsd: 50 });
    expect(await one.balances(account)).toMatchObject({ usd: 50 });
    expect(await one.faults()).toEqual([]);
  });

  it('are refused when they are charged, where their key was revoked meanwhile', async () => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ usd: 10_000 });
    const key = await books.key(account);
    const reservation = await books.admit(await ahead(books, account, 100, { key }));
    await revokeApiKey(books.store.db, account, key.id);
    expect(await refusedCharge(books, reservation, 100)).toEqual({ reason: 'key-revoked' });
    expect(await books.charges(account)).toEqual([]);
  });

  it('count toward the minute, which two gateways hold to the request, however their calls come', async () => {
    const limits = capped(100, null);
    const one = await PostgresBooks.open(server(), { limits, ...copies });
    const two = await one.another({ limits, ...copies });
    const account = await one.account({ usd: 1_000_000 });
    const requests = [await ahead(one, account, 1), await ahead(two, account, 1)];
    const outcomes = await Promise.all(
      Array.from({ length: 160 }, async (_none, index) => {
        await sleep(index * 3);
        const books = index % 2 ? one : two;
        const admission = await books.reserve(requests[index % 2] as ReserveRequest);
        if (admission.outcome !== 'admitted') return 'refused first';
        return books.settle(admission.reservation, 1, { requestId: `call ${index}` }).then(
          () => 'charged',
          (error: unknown) => (error instanceof ChargeRefused ? error.refusal.reason : String(error)),
        );
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(100);
    expect(new Set(outcomes)).not.toContain('balance');
    expect(await one.balances(account)).toMatchObject({ usd: 999_900 });
    expect(await one.faults()).toEqual([]);
  });

  it('that came to nothing count toward the minute, and are charged nothing', async () => {
    const books = await PostgresBooks.open(server(), { limits: capped(16, null), ...copies });
    const account = await books.account({ usd: 100_000 });
    const request = await ahead(books, account, 1);
    const reservation = await books.admit(request);
    expect(await books.reservations()).toBe(0);
    await books.meter.release(reservation);
    await books.meter.release(reservation);
    for (let i = 0; i < 15; i++) await books.charge(books.request(account, 1));
    expect(await books.refusal(books.request(account, 1))).toMatchObject({ reason: 'minute-cap' });
    expect(await books.charges(account)).toHaveLength(15);
  });

  it('are no longer made first once half of a cap is used', async () => {
    const books = await PostgresBooks.open(server(), { limits: capped(16, null), ...copies });
    const account = await books.account({ usd: 100_000 });
    const request = await ahead(books, account, 1);
    for (let i = 0; i < 9; i++) await books.charge(request);
    await books.admit(request);
    expect(await books.reservations()).toBe(1);
  });

  it('of a key with limits of its own are charged within them', async () => {
    const books = await PostgresBooks.open(server(), copies);
    const account = await books.account({ usd: 100_000 });
    const key = await books.key(account, { limitUsdNano: 150 });
    const request = await ahead(books, account, 100, { key });
    const both = [await books.admit(request), await books.admit(request)];
    expect(await books.reservations()).toBe(0);
    await books.settle(both[0] as Reservation, 100);
    expect(await refusedCharge(books, both[1] as Reservation, 100)).toMatchObject({ reason: 'key-limit' });
    const late = await books.admit(books.request(account, 50, { key }));
    expect(await books.reservations()).toBe(1);
    await books.settle(late, 50);
    expect(await books.faults()).toEqual([]);
  });

  it('find what expired freed, and what a new day brought', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOON });
    try {
      const books = await PostgresBooks.open(server(), { ...copies, leaseMs: 60_000 });
      const account = await books.account({ usd: 100_000, diem: 10 });
      await books.admit(books.request(account, 100_000));
      const request = await ahead(books, account, 100);
      vi.setSystemTime(NOON + 60_000);
      const freed = await books.admit({ ...request, now: Date.now() });
      await books.settle(freed, 100);
      expect(await books.balances(account)).toMatchObject({ diem: 0, usd: 99_910 });
      vi.setSystemTime(NOON + 86_400_000);
      await books.allocate(account, 70);
      await ahead(books, account, 100);
      await books.settle(await books.admit({ ...request, now: Date.now() }), 100);
      expect(await books.balances(account)).toMatchObject({ diem: 0, usd: 99_880 });
      expect(await books.faults()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  // The credits of the running minute are in the caller's row. They move when the minute ends or the credits are read.
  it.each([1, 2, 3])(
    'and calls that are admitted first agree on the credits of 24 hours and on every balance (seed %i)',
    async (seed) => {
      vi.useFakeTimers({ toFake: ['Date'], now: NOON });
      try {
        const random = new SeededRandom(seed);
        const cap = 2_000;
        const books = await PostgresBooks.open(server(), {
          ...copies,
          limits: capped(null, cap),
          leaseMs: 7 * 86_400_000,
        });
        const account = await books.account({ usd: 10_000_000, bundled: 500 });
        const spent: { minute: number; credits: number }[] = [];
        let paid = 0;
        for (let call = 0; call < 150; call++) {
          vi.setSystemTime(
            Date.now() + random.integer(0, 3) * random.integer(0, 3) * 600_000 + random.integer(0, 70_000),
          );
          const minute = Math.floor(Date.now() / 60_000);
          const used = spent.reduce((sum, past) => (past.minute >= minute - 1440 ? sum + past.credits : sum), 0);
          const credits = random.integer(1, 60);
          const request = {
            ...(await ahead(books, account, 10, { maxCredits: credits, deferrable: random.integer(0, 3) > 0 })),
            now: Date.now(),
          };
          const admission = await books.reserve(request);
          const outcome =
            admission.outcome === 'admitted'
              ? await books.settle(admission.reservation, 10, { credits }).then(
                  () => 'charged',
                  (error: unknown) => (error instanceof ChargeRefused ? error.refusal.reason : String(error)),
                )
              : (admission as { refusal: Refusal }).refusal.reason;
          expect([outcome, used, credits]).toEqual([used + credits > cap ? 'credit-cap' : 'charged', used, credits]);
          if (outcome !== 'charged') continue;
          spent.push({ minute, credits });
          paid += 10;
        }
        const balances = await books.balances(account);
        expect(POTS.reduce((sum, pot) => sum + balances[pot], 0)).toBe(10_000_500 - paid);
        expect(spent.length).toBeGreaterThan(60);
        expect(spent.length).toBeLessThan(150);
        expect(await books.faults()).toEqual([]);
      } finally {
        vi.useRealTimers();
      }
    },
  );
});
