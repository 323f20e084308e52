import { describe, expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { describeWithPostgres } from '@/test/postgres';
import { PostgresBooks } from '@/test/postgres-books';
import { SqliteBooks } from '@/test/sqlite-books';
import { UNLIMITED } from '@/test/metered-store';

const charge = (amountNanoUsd: number) => ({
  amountNanoUsd,
  credits: 0,
  units: amountNanoUsd / 10,
  resource: 'chat/m',
  detail: 'so far',
  requestId: 'stream',
  replayBody: null,
});
const HELD = { uncapped: true, maxCredits: 0 };

describeStores('calls that run for long', (open) => {
  it('neither count toward the caps of the RPC proxy nor are refused for them', async () => {
    const caps = {
      requestsPerMinute: { standard: 1, paid: 1, staff: 1 },
      creditsPerDay: { standard: 20, paid: 20, staff: 20 },
    };
    const books = await open(caps);
    const account = await books.account({ usd: 1_000 });
    for (let i = 0; i < 3; i++) await books.charge(books.request(account, 10, HELD), { credits: 0 });
    await books.charge(books.request(account, 10));
    expect((await books.refusal(books.request(account, 10))).reason).toBe('minute-cap');
    await books.charge(books.request(account, 10, HELD), { credits: 0 });
    expect(await books.spendable(account)).toBe(950);
  });

  it('are entered with units of their own, which the credit cap does not count, after a restart either', async () => {
    const caps = {
      requestsPerMinute: UNLIMITED.requestsPerMinute,
      creditsPerDay: { standard: 40, paid: 40, staff: 40 },
    };
    const books = await open(caps);
    const account = await books.account({ usd: 1_000 });
    const key = await books.key(account, { limitUsdNano: 500 });
    const chat = { credits: 0, units: 1_234, resource: 'chat/m' };
    await books.charge(books.request(account, 10, HELD), chat);
    // On Postgres, another statement charges a key with a limit.
    await books.charge(books.request(account, 10, { ...HELD, key }), { ...chat, units: 56 });
    await books.charge(books.request(account, 10));
    expect(await books.units(account)).toEqual([1_234, 56, 20]);
    const again = await books.reopen(caps);
    await again.charge(again.request(account, 10), { requestId: 'later' });
    expect(await again.refusal(again.request(account, 10))).toMatchObject({ reason: 'credit-cap', remaining: 0 });
    expect(await again.units(account)).toEqual([1_234, 56, 20, 20]);
  });

  it('are refused for want of money all the same', async () => {
    const books = await open();
    const account = await books.account({ usd: 5 });
    expect(await books.refusal(books.request(account, 10, HELD))).toEqual({ reason: 'balance', spendableNanoUsd: 5 });
  });

  it('that are noted and then settled are charged once, by what they came to in the end', async () => {
    const books = await open();
    const account = await books.account({ usd: 1_000 });
    const call = await books.admit(books.request(account, 500, HELD));
    await books.meter.checkpoint(call, charge(100));
    await books.meter.checkpoint(call, charge(200));
    await books.settle(call, 300, { requestId: 'stream', credits: 0 });
    await books.meter.checkpoint(call, charge(400));
    const again = await books.reopen();
    expect(await again.charges(account)).toEqual([['usd', -300, 700]]);
    expect(await again.spendable(account)).toBe(700);
    expect(await again.faults()).toEqual([]);
  });

  it('that are noted and then released are charged nothing', async () => {
    const books = await open();
    const account = await books.account({ usd: 1_000 });
    const call = await books.admit(books.request(account, 500, HELD));
    await books.meter.checkpoint(call, charge(100));
    await books.meter.release(call);
    const again = await books.reopen();
    expect(await again.charges(account)).toEqual([]);
    expect(await again.spendable(account)).toBe(1_000);
  });
});

describe('a process that dies, on SQLite', () => {
  it('leaves what its calls came to, and the next one charges that, once', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ diem: 50, usd: 1_000 });
    const key = await books.key(account, { limitUsdNano: 60 });
    const call = await books.admit(books.request(account, 100, { ...HELD, key }));
    await books.meter.checkpoint(call, charge(70));
    const second = await books.reopen();
    expect(await second.charges(account)).toEqual([
      ['diem', -50, 0],
      ['usd', -20, 980],
    ]);
    expect(await second.units(account)).toEqual([7, 0]);
    expect(await second.store.db.selectFrom('key_spend').select(['usd', 'diem']).execute()).toEqual([
      { usd: 20, diem: 50 },
    ]);
    const third = await second.reopen();
    expect(await third.charges(account)).toHaveLength(2);
    expect(await third.faults()).toEqual([]);
  });
});

describeWithPostgres('a process that dies, on Postgres', (server) => {
  it('leaves a lease, at whose end what was noted is charged, once, and the rest is freed', async () => {
    let now = Date.now();
    const books = await PostgresBooks.open(server(), { limits: UNLIMITED, leaseMs: 1_000, clock: () => now });
    const account = await books.account({ usd: 1_000 });
    const call = await books.admit(books.request(account, 500, { ...HELD, now }));
    now += 900;
    await books.meter.checkpoint(call, charge(70));
    now += 900;
    const other = await books.another({ leaseMs: 1_000, clock: () => now });
    await other.meter.expireLeases();
    expect(await other.spendable(account)).toBe(500);
    now += 200;
    await other.meter.expireLeases();
    await other.meter.expireLeases();
    expect(await other.spendable(account)).toBe(930);
    expect(await other.charges(account)).toEqual([['usd', -70, 930]]);
    expect(await other.units(account)).toEqual([7]);
    // The process was slow but did not die. Its own charge comes too late, so that the call is charged once.
    await books.settle(call, 90, { requestId: 'stream', credits: 0 });
    expect(await other.charges(account)).toEqual([['usd', -70, 930]]);
    expect(await other.faults()).toEqual([]);
  });

  it('that noted nothing frees all of it', async () => {
    let now = Date.now();
    const books = await PostgresBooks.open(server(), { limits: UNLIMITED, leaseMs: 1_000, clock: () => now });
    const account = await books.account({ usd: 1_000 });
    await books.admit(books.request(account, 500, { ...HELD, now }));
    now += 2_000;
    await books.meter.expireLeases();
    expect(await books.spendable(account)).toBe(1_000);
    expect(await books.charges(account)).toEqual([]);
  });
});
