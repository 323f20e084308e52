import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { grant } from '../../store/grants';
import { MeteredStore, UNLIMITED } from '../../testing/metered-store';

const CAPPED = { ...UNLIMITED, creditsPerDay: { standard: 100, paid: 100, staff: 100 } };

/** Makes every charge of this request id fail in the database, as a full disk would. */
const breakCommits = (books: MeteredStore, requestId: string) =>
  sql.raw(`create trigger breaks before insert on ledger when new.request_id = '${requestId}' begin select raise(abort, 'disk full'); end`).execute(books.store.db);
const repairCommits = (books: MeteredStore) => sql.raw('drop trigger breaks').execute(books.store.db);

describe('a commit that fails', () => {
  it('charges nobody of its group, and everything is as before', async () => {
    const books = await MeteredStore.open(CAPPED);
    const [one, two] = [await books.account({ diem: 30, usd: 70 }), await books.account({ bundled: 100 })];
    const key = await books.key(one, { limitUsdNano: 60, limitDiemNano: 30 });
    await breakCommits(books, 'bad');
    await turn();
    const idempotency = { key: 'k', fingerprint: 'f' };
    const group = [
      books.charge(books.request(one, 90, { key, idempotency, maxCredits: 100 }), { requestId: 'bad', credits: 100, replayBody: Buffer.from('x') }),
      books.charge(books.request(two, 50), { replayBody: Buffer.from('x') }),
    ];
    expect((await Promise.allSettled(group)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([books.spendable(one), books.spendable(two)]).toEqual([100, 100]);
    expect(await books.balances(one)).toMatchObject({ diem: 30, usd: 70 });

    await repairCommits(books);
    await turn();
    // Key limits, the credit cap and the idempotency key are all free again for the same call.
    await books.charge(books.request(one, 90, { key, idempotency, maxCredits: 100 }), { credits: 100, replayBody: Buffer.from('y') });
    expect(await books.charges(one)).toEqual([['diem', -30, 0], ['usd', -60, 10]]);
    expect(await books.charges(two)).toEqual([]);
    const { db } = books.store;
    expect(await db.selectFrom('credit_minutes').select(['account_id', 'credits']).execute()).toEqual([{ account_id: one, credits: 100 }]);
    expect(await db.selectFrom('key_spend').select(['usd', 'diem']).execute()).toEqual([{ usd: 60, diem: 30 }]);
    expect((await db.selectFrom('idempotency_records').select('body').execute()).map(({ body }) => Buffer.from(body).toString())).toEqual(['y']);
    expect(await books.faults()).toEqual([]);
  });

  it('is survived with a grant of another process in the middle', async () => {
    const books = await MeteredStore.open();
    const account = await books.account({ usd: 100 });
    await breakCommits(books, 'bad');
    await turn();
    const failing = books.charge(books.request(account, 40), { requestId: 'bad' });
    await grant(books.store.db, { accountId: account, pot: 'usd', amountNanoUsd: 1_000, detail: '' });
    await expect(failing).rejects.toThrow('disk full');
    await turn();
    expect(books.spendable(account)).toBe(1_100);
    await books.charge(books.request(account, 40));
    expect(await books.charges(account)).toEqual([['usd', -40, 1_060]]);
    expect(await books.faults()).toEqual([]);
  });

  it('because another process holds the write lock too long charges nobody, and the next one works', async () => {
    const books = await MeteredStore.open();
    const account = await books.account({ usd: 100 });
    books.store.meterConnection.pragma('busy_timeout = 1');
    await books.store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('accounts').set({ label: 'held' }).execute();
      await expect(books.charge(books.request(account, 40))).rejects.toThrow(/busy|locked/i);
      expect(books.spendable(account)).toBe(100);
    });
    await books.charge(books.request(account, 40));
    expect(await books.balances(account)).toMatchObject({ usd: 60 });
  });

  it('leaves the store usable where it was read-only for a while', async () => {
    const books = await MeteredStore.open();
    const account = await books.account({ usd: 100 });
    books.store.meterConnection.pragma('query_only = on');
    await expect(books.charge(books.request(account, 40))).rejects.toThrow();
    expect(books.spendable(account)).toBe(100);
    books.store.meterConnection.pragma('query_only = off');
    await books.charge(books.request(account, 40));
    expect(books.spendable(account)).toBe(60);
  });
});

describe('a process that dies', () => {
  it('leaves no reservation: what was held is free, what was answered is charged', async () => {
    const books = await MeteredStore.open(CAPPED);
    const account = await books.account({ usd: 100 });
    await books.charge(books.request(account, 10));
    books.admit(books.request(account, 80, { idempotency: { key: 'k', fingerprint: 'f' } }));
    expect(books.spendable(account)).toBe(10);
    const again = await books.reopen(CAPPED);
    expect(again.spendable(account)).toBe(90);
    again.admit(again.request(account, 80, { idempotency: { key: 'k', fingerprint: 'g' }, maxCredits: 80 }));
    expect(await again.faults()).toEqual([]);
  });
});

describe('groups of charges', () => {
  it.each([1, 2, 3, 31, 63, 64, 65, 130, 200])('of %i, each over two pots, are all on the books in order', async (size) => {
    const books = await MeteredStore.open();
    const account = await books.account({ bundled: 2 * size - 1, usd: 10_000 });
    await Promise.all(Array.from({ length: size }, (_none, index) => books.charge(books.request(account, 2), { detail: `m${index}`, replayBody: null })));
    const charges = await books.charges(account);
    expect(charges).toHaveLength(size + 1);
    expect(charges.at(-1)).toEqual(['usd', -1, 9_999]);
    const details = await books.store.db.selectFrom('usage').select(['detail', 'amount']).orderBy('id').execute();
    expect(details).toEqual(Array.from({ length: size }, (_none, index) => ({ detail: `m${index}`, amount: 2 })));
    expect(await books.faults()).toEqual([]);
  });
});
