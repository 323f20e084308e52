import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import type { MeteredStore } from '@/test/metered-store';
import { creditWithin } from '../db/credits';
import { dailyTotals } from './operator-figures';
import { sumsFaults } from './sums-check';
import { listCharges } from './usage/list-charges';
import { type ChargeGroup, GROUPINGS, sumCharges } from './usage/sum-charges';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 20);
const DAYS = 4;
const RESOURCES = ['rpc/base-mainnet', 'chat/model'] as const;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => void vi.useRealTimers());

const charge = fc.record({
  /**
   * Milliseconds since START. Whole hours, so that charges of several accounts share a day, but those of one day
   * differ.
   */
  at: fc.integer({ min: 0, max: DAYS * 24 - 1 }).map((hour) => hour * 3_600_000 + 1),
  account: fc.nat(1),
  key: fc.option(fc.nat(1), { nil: null }),
  resource: fc.constantFrom(...RESOURCES),
  amount: fc.integer({ min: 1, max: 40 }),
  units: fc.nat(9),
});
type MadeCharge = ReturnType<(typeof charge)['generate']>['value'];

/** Makes charges with the meter, in order of time. @returns the accounts and their keys */
async function charged(books: MeteredStore, charges: readonly MadeCharge[]) {
  vi.setSystemTime(START);
  const accounts = [await books.account({ bundled: 50, usd: 10_000 }), await books.account({ usd: 10_000 })];
  const keys = await Promise.all(accounts.map((account) => Promise.all([books.key(account), books.key(account)])));
  for (const { at, account, key, resource, amount, units } of charges.toSorted((one, other) => one.at - other.at)) {
    vi.setSystemTime(START + at);
    const of = key === null ? undefined : keys[account]?.[key];
    await books.charge(books.request(accounts[account] as number, amount, { ...(of && { key: of }) }), {
      resource,
      units,
    });
  }
  return { accounts, keys };
}

/** Sums all charges of the period from their list, as a caller could. */
async function summed(
  books: MeteredStore,
  filter: { accountId: number; from: number; until: number; resource?: string },
  group: (call: Awaited<ReturnType<typeof listCharges>>['charges'][number]) => string,
) {
  const { charges } = await listCharges(books.store.db, filter, { limit: 1_000, skip: 0, after: null });
  const sums: Record<string, [calls: number, units: number, amount: number]> = {};
  for (const call of charges) {
    const [calls, units, amount] = sums[group(call)] ?? [0, 0, 0];
    sums[group(call)] = [calls + 1, units + call.units, amount + call.amount];
  }
  return sums;
}

const asSums = (groups: readonly ChargeGroup[]) =>
  Object.fromEntries(groups.map(({ group, charges, units, amount }) => [group, [charges, units, amount]]));

const GROUP_OF = {
  day: ({ at }: { at: number }) => new Date(at).toISOString().slice(0, 10),
  resource: ({ resource }: { resource: string }) => resource,
  key: ({ apiKey }: { apiKey: { id: number } | null }) => String(apiKey?.id ?? ''),
};

describeStores('the daily sums of charges', (open) => {
  it(
    'equal the charges of any period, by day, resource and key, also where the period cuts days',
    { timeout: 300_000 },
    async () => {
      const books = await open();
      const period = fc.tuple(fc.integer({ min: -3, max: DAYS * 24 }), fc.integer({ min: 0, max: DAYS * 24 + 30 }));
      await fc.assert(
        fc.asyncProperty(
          fc.array(charge, { maxLength: 8 }),
          fc.array(period, { minLength: 1, maxLength: 3 }),
          fc.option(fc.constantFrom(...RESOURCES), { nil: undefined }),
          async (charges, periods, resource) => {
            const { accounts } = await charged(books, charges);
            for (const [from, hours] of periods)
              for (const accountId of accounts) {
                const start = START + from * 3_600_000;
                const only = resource !== undefined && { resource };
                const filter = { accountId, from: start, until: start + hours * 3_600_000, ...only };
                for (const grouping of GROUPINGS)
                  expect(asSums(await sumCharges(books.store.db, filter, grouping))).toEqual(
                    await summed(books, filter, GROUP_OF[grouping]),
                  );
              }
            expect(await sumsFaults(books.store.db)).toEqual([]);
          },
        ),
        { numRuns: 6 },
      );
    },
  );

  it('of all accounts equal the charges and top-ups of each day', async () => {
    const books = await open();
    const { accounts } = await charged(books, [
      { at: 0, account: 0, key: null, resource: 'chat/model', amount: 60, units: 3 },
      { at: 1, account: 1, key: 0, resource: 'chat/model', amount: 2, units: 1 },
      { at: DAY_MS, account: 1, key: 1, resource: 'rpc/base-mainnet', amount: 7, units: 1 },
    ]);
    const topUp = {
      accountId: accounts[1] as number,
      pot: 'x402',
      kind: 'TOP_UP',
      detail: '',
      requestId: 'p',
    } as const;
    await books.store.db
      .transaction()
      .execute((transaction) => creditWithin(transaction, { ...topUp, amountNanoUsd: 90 }));
    const none = { paidInNanoUsd: 0, withdrawnNanoUsd: 0, traffic: null };
    expect(await dailyTotals(books.store.db, { days: 3, now: START + DAY_MS })).toEqual([
      { day: '2026-11-19', charges: 0, chargedNanoUsd: 0, ...none },
      // The first call was charged to two balances, and counts once.
      { day: '2026-11-20', charges: 2, chargedNanoUsd: 62, ...none },
      { day: '2026-11-21', charges: 1, chargedNanoUsd: 7, ...none, paidInNanoUsd: 90 },
    ]);
    expect(await sumsFaults(books.store.db)).toEqual([]);
  });

  describe('do not agree with the ledger', () => {
    it.each([
      ['calls', 'update charge_days set calls = calls + 1', /^account \d+, day 2026-11-20, key \d+, chat\/model/],
      ['units', 'update charge_days set units = units + 1', /or units and times differ/],
      ['amounts', 'update charge_days set usd = usd - 1, bundled = bundled + 1', /^account/],
      ['the last time', 'update charge_days set last_at = last_at + 1', /^account/],
      ['a sum that is gone', 'delete from charge_days', /stored sums are 0 calls over 0 nano-USD.* 1 over 60/],
      ['totals', 'update ledger_days set charged = charged + 5', /^day 2026-11-20: .* 5 nano-USD charged/],
      ['income', 'update ledger_days set paid_in = paid_in + 5', /^day 2026-11-20: .* 5 paid in/],
    ])('if %s were changed', async (_what, change, fault) => {
      const books = await open();
      await charged(books, [{ at: 0, account: 0, key: null, resource: 'chat/model', amount: 60, units: 3 }]);
      expect(await books.faults()).toEqual([]);
      await sql.raw(change).execute(books.store.db);
      expect(await books.faults()).toContainEqual(expect.stringMatching(fault));
    });
  });

  it('leave out a charge whose commit failed', async () => {
    const books = await open();
    const account = await books.account({ usd: 100 });
    await books.breakCharges('bad');
    const held = await books.admit(books.request(account, 9));
    await expect(books.settle(held, 9, { requestId: 'bad1' })).rejects.toThrow();
    await books.charge(books.request(account, 5));
    expect(await sumsFaults(books.store.db)).toEqual([]);
    expect(await dailyTotals(books.store.db, { days: 1, now: START })).toMatchObject([
      { charges: 1, chargedNanoUsd: 5 },
    ]);
  });
});
