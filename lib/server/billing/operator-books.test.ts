import { expect, it } from 'vitest';
import { refillSums } from '@/test/refill-sums';
import { SqliteBooks } from '@/test/sqlite-books';
import type { Database } from '../db/schema';
import { OperatorBooks } from './operator-figures';

const NOON = Date.UTC(2026, 10, 24, 12);
const DAY_MS = 86_400_000;

let rows = 0;

async function charge(db: Database, accountId: number, amount: number, createdAt: number): Promise<void> {
  await db
    .insertInto('ledger')
    .values({
      account_id: accountId,
      pot: 'usd',
      kind: 'CHARGE',
      amount: -amount,
      balance_after: 0,
      api_key_id: null,
      resource: 'rpc/ethereum-mainnet',
      detail: '',
      units: 20,
      request_id: `books-${rows++}`,
      created_at: createdAt,
    })
    .execute();
  await refillSums(db);
}

const written = () => Promise.resolve();

async function opened() {
  const store = await SqliteBooks.open();
  const clock = { now: NOON };
  const books = new OperatorBooks({ db: store.store.db, now: () => clock.now, written });
  const chargedOn = async (day: string) => (await books.read()).days.find((each) => each.day === day)?.chargedNanoUsd;
  return { db: store.store.db, account: await store.account(), clock, books, chargedOn };
}

it('are read no more often than every ten seconds, and once for all who ask at a time', async () => {
  const { db, account, clock, books, chargedOn } = await opened();
  const [one, other] = await Promise.all([books.read(), books.read()]);
  expect(one).toBe(other);
  await charge(db, account, 5, NOON);
  clock.now += 9_999;
  expect(await chargedOn('2026-11-24')).toBe(0);
  clock.now += 1;
  expect(await chargedOn('2026-11-24')).toBe(5);
});

it('are 30 days, today the last, also when days go by', async () => {
  const { clock, books } = await opened();
  await books.read();
  clock.now += 40 * DAY_MS;
  const { days } = await books.read();
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, '2026-12-05', '2027-01-03']);
});

it('are read again after a failure', async () => {
  const { db, books } = await opened();
  let isAway = true;
  const refuse = (): never => {
    throw new Error('away');
  };
  const member = (target: Database, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  };
  const away = new Proxy(db, {
    get: (target, name) => (isAway && name === 'selectFrom' ? refuse : member(target, name)),
  });
  const failing = new OperatorBooks({ db: away, now: () => NOON, written });
  await expect(failing.read()).rejects.toThrow('away');
  isAway = false;
  expect((await failing.read()).accounts).toBe((await books.read()).accounts);
});
