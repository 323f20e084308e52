import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { PostgresBooks } from '@/test/postgres-books';
import { tempFolder } from '@/test/temp-folder';
import { creditWithin } from '../db/credits';
import { checkLedger, checkSinceProof, proveWhole } from './ledger-check';
import { lastProof, saveProof } from './ledger-proof';
import { archiveLedger } from './retention/ledger-archiver';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 20);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => void vi.useRealTimers());

/** Checks and saves the proof, as `ledger check` does. */
async function prove({ store: { db } }: MeteredStore) {
  const { proof, since, ...verdict } = await checkSinceProof(db);
  if (verdict.faults.length === 0) await saveProof(db, proof);
  return { ...verdict, isWhole: since === null };
}

const credit = ({ store: { db } }: MeteredStore, accountId: number, amountNanoUsd: number) =>
  db
    .transaction()
    .execute((transaction) =>
      creditWithin(transaction, { accountId, pot: 'usd', kind: 'GRANT', amountNanoUsd, detail: '', requestId: '' }),
    );

/** Creates two accounts with charges, all of them proven. Tests add a third account. */
async function proven(open: () => Promise<MeteredStore>) {
  const books = await open();
  const [busy, idle] = [await books.account({ bundled: 10, usd: 100 }), await books.account({ usd: 50 })];
  await books.charge(books.request(busy, 15));
  await books.charge(books.request(idle, 1));
  expect(await prove(books)).toEqual({ accounts: 2, rows: 6, faults: [], isWhole: true });
  vi.setSystemTime(START + DAY_MS);
  await books.charge(books.request(busy, 3));
  const late = await books.account({ usd: 7 });
  return { books, busy, idle, late };
}

async function tamper(books: MeteredStore, statement: string): Promise<void> {
  for (const change of ['update', 'delete'])
    await sql
      .raw(`drop trigger ledger_refuses_${change}${books instanceof PostgresBooks ? ' on ledger_rows' : ''}`)
      .execute(books.store.db);
  await sql.raw(statement).execute(books.store.db);
}

const step = fc.oneof(
  fc.record({ do: fc.constant('charge' as const), account: fc.nat(2), amount: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('credit' as const), account: fc.nat(2), amount: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 30, 24 * 60) }),
  fc.constant({ do: 'prove' as const }),
  fc.constant({ do: 'archive' as const }),
);

describeStores('a check of the ledger after the last proof', (open) => {
  it('reads only new rows, and all of new accounts', async () => {
    const { books } = await proven(open);
    // Only the newer rows are read: one charge and one grant.
    expect(await prove(books)).toEqual({ accounts: 3, rows: 2, faults: [], isWhole: false });
    expect(await prove(books)).toEqual({ accounts: 3, rows: 0, faults: [], isWhole: false });
    expect(await checkLedger(books.store.db)).toEqual({ accounts: 3, rows: 8, faults: [] });
  });

  it(
    'agrees with a whole check after any charges, credits, archives and other checks',
    { timeout: 300_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
          vi.setSystemTime(START);
          const books = await open();
          const folder = tempFolder();
          const accounts = [];
          for (let index = 0; index < 3; index++) accounts.push(await books.account({ bundled: 3, usd: 300 }));
          for (const each of steps) {
            vi.setSystemTime(Date.now() + 1);
            if (each.do === 'charge') await books.charge(books.request(accounts[each.account] as number, each.amount));
            else if (each.do === 'credit') await credit(books, accounts[each.account] as number, each.amount);
            else if (each.do === 'wait') vi.setSystemTime(Date.now() + each.minutes * 60_000);
            else if (each.do === 'prove') expect((await prove(books)).faults).toEqual([]);
            else
              await archiveLedger(books.store.db, { folder, before: Date.now() - (Date.now() % DAY_MS), rowsMax: 3 });
          }
          expect([(await prove(books)).faults, (await checkLedger(books.store.db)).faults]).toEqual([[], []]);
        }),
        { numRuns: 8 },
      );
    },
  );

  it('repeats work, and finds nothing wrong, after a crash between the proofs of accounts and the common place', async () => {
    const { books } = await proven(open);
    const before = await lastProof(books.store.db);
    const { proof } = await checkSinceProof(books.store.db);
    await saveProof(books.store.db, { ...proof, ...before });
    expect(await prove(books)).toMatchObject({ rows: 0, faults: [] });
  });

  it('never takes back a later proof of an account', async () => {
    const { books, busy } = await proven(open);
    const { proof } = await checkSinceProof(books.store.db);
    await books.charge(books.request(busy, 2));
    await prove(books);
    await saveProof(books.store.db, proof);
    expect(await prove(books)).toMatchObject({ rows: 0, faults: [] });
  });

  it('reads all rows of an account whose proven and new rows an archive joined', async () => {
    const { books, busy } = await proven(open);
    await books.charge(books.request(busy, 4));
    vi.setSystemTime(START + 3 * DAY_MS);
    await archiveLedger(books.store.db, { folder: tempFolder(), before: START + 3 * DAY_MS });
    expect(await prove(books)).toMatchObject({ faults: [], isWhole: false });
    expect(await checkLedger(books.store.db)).toMatchObject({ faults: [] });
  });

  describe('finds', () => {
    it.each([
      [
        'a changed balance of an account without new rows',
        'update meters set usd = usd + 1 where usd = 49',
        /pot usd: balance 50/,
      ],
      [
        'a changed balance of an account with new rows',
        'update meters set usd = usd + 1 where usd = 92',
        /pot usd: balance 93/,
      ],
      [
        'a changed new row',
        "update ledger_rows set amount = -4 where amount = -3 and kind = 'CHARGE'",
        /^ledger row \d+, account 1/,
      ],
      ['a removed new row', "delete from ledger_rows where amount = -3 and kind = 'CHARGE'", /pot usd: balance 92/],
      [
        'a changed sum of a day with new charges',
        'update charge_days set usd = usd + 1 where usd = 3',
        /^account 1, day 2026-11-21/,
      ],
      [
        'a changed total of such a day',
        'update ledger_days set calls = calls + 1 where day = 20778',
        /^day 2026-11-21/,
      ],
      [
        'an allocation that is not fixed',
        "insert into ledger (account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at) values (1, 'diem', 'ALLOCATION', 7, 7, '', '', 0, '', 0)",
        /allocations of/,
      ],
    ])('%s', async (_what, change, fault) => {
      const { books } = await proven(open);
      await tamper(books, change);
      expect((await prove(books)).faults).toContainEqual(expect.stringMatching(fault));
      // The fault stays unproven, so that the next check finds it too.
      expect((await prove(books)).faults).toContainEqual(expect.stringMatching(fault));
    });

    it('a changed row that was proven before only if it is whole', async () => {
      const { books } = await proven(open);
      await tamper(
        books,
        "update ledger_rows set balance_after = balance_after + 1 where amount = -1 and kind = 'CHARGE'",
      );
      expect((await prove(books)).faults).toEqual([]);
      expect((await proveWhole(books.store.db)).faults).toEqual([expect.stringMatching(/^ledger row/)]);
    });
  });
});
