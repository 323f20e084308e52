import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { grant } from '../../db/credits';
import { UNLIMITED } from '@/test/metered-store';
import { SqliteBooks } from '@/test/sqlite-books';

// The tests in ../meter*.test.ts run on both databases. The tests here are about group commits and cached state.

const CAPPED = { ...UNLIMITED, creditsPerDay: { standard: 100, paid: 100, staff: 100 } };

describe('the commit of a group', () => {
  it('answers only after the charge is on the books', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const settled = books
      .settle(await books.admit(books.request(account, 100)), 100)
      .then(() => books.balances(account));
    expect(await books.balances(account)).toMatchObject({ usd: 100 });
    expect(await settled).toMatchObject({ usd: 0 });
  });

  it('ends the collision of an idempotency key, and nothing before it does', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const idempotency = { key: 'k', fingerprint: 'f' };
    const first = await books.admit(books.request(account, 10, { idempotency }));
    const settled = books.settle(first, 10, { replayBody: Buffer.from('x') });
    void books.meter.release(first);
    expect(await books.refusal(books.request(account, 10, { idempotency }))).toEqual({
      reason: 'collision',
      kind: 'idempotency-key',
    });
    await settled;
    expect((await books.reserve(books.request(account, 10, { idempotency }))).outcome).toBe('replayed');
  });

  it('a grant between the settling and the commit of a charge keeps every row at its running sum', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const reservation = await books.admit(books.request(account, 10));
    await turn();
    const first = books.settle(reservation, 10);
    await grant(books.store.db, { accountId: account, pot: 'usd', amountNanoUsd: 1_000, detail: '' });
    // This reservation makes the first check of the store in this turn, and finds the grant.
    const second = books.settle(await books.admit(books.request(account, 20)), 20);
    await Promise.all([first, second]);
    expect(await books.charges(account)).toEqual([
      ['usd', -10, 1_090],
      ['usd', -20, 1_070],
    ]);
    expect(await books.balances(account)).toMatchObject({ usd: 1_070 });
    expect(await books.faults()).toEqual([]);
  });

  it('a grant that nobody looked at before the commit is taken in by it', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const reservation = await books.admit(books.request(account, 10));
    await turn();
    const settled = books.settle(reservation, 10);
    await grant(books.store.db, { accountId: account, pot: 'usd', amountNanoUsd: 1_000, detail: '' });
    await settled;
    expect(await books.charges(account)).toEqual([['usd', -10, 1_090]]);
    await turn();
    expect(await books.spendable(account)).toBe(1_090);
    expect(await books.faults()).toEqual([]);
  });
});

describe('a commit that fails', () => {
  it('charges nobody of its group, and everything is as before', async () => {
    const books = await SqliteBooks.open(CAPPED);
    const [one, two] = [await books.account({ diem: 30, usd: 70 }), await books.account({ bundled: 100 })];
    const key = await books.key(one, { limitUsdNano: 60, limitDiemNano: 30 });
    await books.breakCharges('bad');
    await turn();
    const idempotency = { key: 'k', fingerprint: 'f' };
    const group = [
      books.charge(books.request(one, 90, { key, idempotency, maxCredits: 100 }), {
        requestId: 'bad',
        credits: 100,
        replayBody: Buffer.from('x'),
      }),
      books.charge(books.request(two, 50), { replayBody: Buffer.from('x') }),
    ];
    expect((await Promise.allSettled(group)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await books.spendable(one), await books.spendable(two)]).toEqual([100, 100]);
    expect(await books.balances(one)).toMatchObject({ diem: 30, usd: 70 });

    await books.repairCharges();
    await turn();
    // Nothing of the call counts toward the key's limits, the credit cap or the idempotency key, so it can be made
    // again.
    await books.charge(books.request(one, 90, { key, idempotency, maxCredits: 100 }), {
      credits: 100,
      replayBody: Buffer.from('y'),
    });
    expect(await books.charges(one)).toEqual([
      ['diem', -30, 0],
      ['usd', -60, 10],
    ]);
    expect(await books.charges(two)).toEqual([]);
    const { db } = books.store;
    expect(await db.selectFrom('usage').select(['account_id', 'units']).execute()).toEqual([
      { account_id: one, units: 100 },
    ]);
    expect(await db.selectFrom('key_spend').select(['usd', 'diem']).execute()).toEqual([{ usd: 60, diem: 30 }]);
    expect(
      (await db.selectFrom('idempotency_records').select('body').execute()).map(({ body }) =>
        Buffer.from(body).toString(),
      ),
    ).toEqual(['y']);
    expect(await books.faults()).toEqual([]);
  });

  it('because another process holds the write lock too long charges nobody, and the next one works', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    books.store.meterConnection.exec('pragma busy_timeout = 1');
    await books.store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('accounts').set({ label: 'held' }).execute();
      await expect(books.charge(books.request(account, 40))).rejects.toThrow(/busy|locked/i);
      expect(await books.spendable(account)).toBe(100);
    });
    await books.charge(books.request(account, 40));
    expect(await books.balances(account)).toMatchObject({ usd: 60 });
  });

  it('leaves the store usable where it was read-only for a while', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    books.store.meterConnection.exec('pragma query_only = on');
    await expect(books.charge(books.request(account, 40))).rejects.toThrow();
    expect(await books.spendable(account)).toBe(100);
    books.store.meterConnection.exec('pragma query_only = off');
    await books.charge(books.request(account, 40));
    expect(await books.spendable(account)).toBe(60);
  });
});

describe('a process that dies', () => {
  it('leaves no reservation: what was held is free, what was answered is charged', async () => {
    const books = await SqliteBooks.open(CAPPED);
    const account = await books.account({ usd: 100 });
    await books.charge(books.request(account, 10));
    await books.admit(books.request(account, 80, { idempotency: { key: 'k', fingerprint: 'f' } }));
    expect(await books.spendable(account)).toBe(10);
    const again = await books.reopen(CAPPED);
    expect(await again.spendable(account)).toBe(90);
    await again.admit(again.request(account, 80, { idempotency: { key: 'k', fingerprint: 'g' }, maxCredits: 80 }));
    expect(await again.faults()).toEqual([]);
  });
});

describe('an answer of a megabyte to keep', () => {
  const large = { replayBody: Buffer.alloc(1_000_000, 'x') };
  const keyed = (key: string) => ({ idempotency: { key, fingerprint: 'f' } });

  it('is committed after the charges of others that settled later, each such answer by itself', async () => {
    const books = await SqliteBooks.open();
    const [hog, other] = [await books.account({ usd: 1_000 }), await books.account({ usd: 1_000 })];
    const order: string[] = [];
    const hogs = await Promise.all(['a', 'b', 'c'].map((key) => books.admit(books.request(hog, 10, keyed(key)))));
    const small = await books.admit(books.request(other, 10));
    const settled = hogs.map((reservation, index) =>
      books
        .settle(reservation, 10, large)
        .then(async () => order.push(`large ${index}, ${(await books.charges(hog)).length} on the books`)),
    );
    settled.push(
      books.settle(small, 10).then(async () => order.push(`small, ${(await books.charges(hog)).length} on the books`)),
    );
    await Promise.all(settled);
    expect(order).toEqual([
      'small, 0 on the books',
      'large 0, 1 on the books',
      'large 1, 2 on the books',
      'large 2, 3 on the books',
    ]);
    expect(await books.faults()).toEqual([]);
  });

  it('leaves the books right between its charge and a smaller one of the same caller', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const [first, second] = [
      await books.admit(books.request(account, 10, keyed('k'))),
      await books.admit(books.request(account, 20)),
    ];
    const slow = books.settle(first, 10, large);
    await books.settle(second, 20);
    expect(await books.balances(account)).toMatchObject({ usd: 80 });
    expect(await books.faults()).toEqual([]);
    expect(await books.spendable(account)).toBe(70);
    await slow;
    expect(await books.charges(account)).toEqual([
      ['usd', -20, 80],
      ['usd', -10, 70],
    ]);
    expect(await books.balances(account)).toMatchObject({ usd: 70 });
    expect(await books.faults()).toEqual([]);
  });

  it('that cannot be committed is not charged, and takes no other charge with it', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    await books.breakCharges('broken');
    const [first, second] = [
      await books.admit(books.request(account, 10, keyed('k'))),
      await books.admit(books.request(account, 20)),
    ];
    const slow = books.settle(first, 10, { ...large, requestId: 'broken' });
    const refused = expect(slow).rejects.toThrow();
    await books.settle(second, 20);
    await refused;
    expect(await books.balances(account)).toMatchObject({ usd: 80 });
    expect(await books.spendable(account)).toBe(80);
    expect(await books.faults()).toEqual([]);
  });

  it('is on the books when the meter closes', async () => {
    const books = await SqliteBooks.open();
    const account = await books.account({ usd: 100 });
    const settled = books.settle(await books.admit(books.request(account, 10, keyed('k'))), 10, large);
    books.meter.close();
    expect(await books.balances(account)).toMatchObject({ usd: 90 });
    await settled;
  });
});

it('so many large answers at once that they would wait for long are all charged, and the last of them not kept', async () => {
  const books = await SqliteBooks.open();
  const account = await books.account({ usd: 1_000 });
  const large = { replayBody: Buffer.alloc(4 * 1024 * 1024, 'x') };
  const settled = await Promise.all(
    Array.from({ length: 9 }, (_none, index) =>
      books.charge(books.request(account, 10, { idempotency: { key: `k${index}`, fingerprint: 'f' } }), large),
    ),
  );
  expect(settled.map(({ isUnkept }) => isUnkept === true)).toEqual([
    ...Array<boolean>(3).fill(false),
    ...Array<boolean>(6).fill(true),
  ]);
  expect(await books.balances(account)).toMatchObject({ usd: 910 });
  expect(await books.refusal(books.request(account, 10, { idempotency: { key: 'k8', fingerprint: 'f' } }))).toEqual({
    reason: 'answer-not-kept',
  });
  expect(await books.faults()).toEqual([]);
});

describe('a write lock of another connection', () => {
  /** Opens a meter that fails at once while another connection has the write lock. */
  async function locked() {
    const books = await SqliteBooks.open();
    const [one, other] = [await books.account({ usd: 100 }), await books.account({ usd: 100 })];
    const reservations = [
      await books.admit(books.request(one, 10)),
      await books.admit(books.request(other, 20, { idempotency: { key: 'k', fingerprint: 'f' } })),
    ] as const;
    books.store.meterConnection.exec('pragma busy_timeout = 0');
    const holder = new DatabaseSync(join(books.dataDir, 'turnpike.db'));
    onTestFinished(() => void holder.close());
    holder.exec('begin immediate');
    const settled = Promise.all([
      books.settle(reservations[0], 10),
      books.settle(reservations[1], 20, { replayBody: Buffer.alloc(2_000, 'x') }),
    ]);
    return { books, one, other, holder, settled };
  }

  it('delays charges, and fails none', async () => {
    const { books, one, other, holder, settled } = await locked();
    await sleep(30);
    expect(await books.charges(one)).toEqual([]);
    holder.exec('commit');
    await settled;
    expect([await books.charges(one), await books.charges(other)]).toEqual([[['usd', -10, 90]], [['usd', -20, 80]]]);
    expect(await books.faults()).toEqual([]);
  });

  it('that was given back has what waited for it on the books when the meter closes', async () => {
    const { books, one, holder, settled } = await locked();
    await sleep(10);
    holder.exec('commit');
    books.meter.close();
    expect(await books.charges(one)).toEqual([['usd', -10, 90]]);
    await settled;
  });
});
