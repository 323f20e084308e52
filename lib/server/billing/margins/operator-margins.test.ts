import { expect, it } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { refillSums } from '@/test/refill-sums';
import type { Database, Pot } from '../../db/schema';
import type { UnitCosts } from './cost-bounds';
import { MarginSums } from './operator-margins';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 12);
const COSTS: Readonly<Record<string, UnitCosts>> = {
  'chat/a/model': {
    per: 1,
    kinds: [
      { price: 2, cost: 1 },
      { price: 8, cost: 5 },
    ],
  },
  'video/a-model': { per: 1, kinds: [{ price: 0, cost: 10 }] },
};
const costsOf = (product: string, name: string): UnitCosts | null => COSTS[`${product}/${name}`] ?? null;

let rows = 0;

async function charge(
  db: Database,
  accountId: number,
  resource: string,
  { units, amount, at = NOW, pot = 'usd' }: { units: number; amount: number; at?: number; pot?: Pot },
): Promise<string> {
  const requestId = `margins-${rows++}`;
  await db
    .insertInto('ledger')
    .values({
      account_id: accountId,
      pot,
      kind: 'CHARGE',
      amount: -amount,
      balance_after: 0,
      api_key_id: null,
      resource,
      detail: '',
      units,
      request_id: requestId,
      created_at: at,
    })
    .execute();
  await refillSums(db);
  return requestId;
}

describeStores('income and cost by model', (open) => {
  it('are sums over all accounts by day, with the cost where one is set', async () => {
    const store = await open();
    const { db } = store.store;
    const [one, other] = [await store.account(), await store.account()];
    await charge(db, one, 'chat/a/model', { units: 10, amount: 50 });
    await charge(db, other, 'chat/a/model', { units: 10, amount: 20, pot: 'diem' });
    await charge(db, one, 'chat/a/model', { units: 1, amount: 8, at: NOW - DAY_MS });
    await charge(db, one, 'rpc/base-mainnet', { units: 20, amount: 14 });
    await charge(db, one, 'rpc/base-mainnet', { units: 20, amount: 14, at: NOW - 30 * DAY_MS });
    const { days, resources } = await new MarginSums({ db, now: () => NOW }).read(costsOf);
    expect([days.length, days[0], days.at(-1)]).toEqual([30, '2026-10-26', '2026-11-24']);
    expect(resources.toSorted((a, b) => (a.product < b.product ? -1 : 1))).toEqual([
      {
        product: 'chat',
        name: 'a/model',
        unit: 'tokens',
        days: [
          {
            day: '2026-11-23',
            charges: 1,
            units: 1,
            incomeNanoUsd: 8,
            givenNanoUsd: 0,
            costNanoUsd: { least: 5, most: 5 },
          },
          {
            day: '2026-11-24',
            charges: 2,
            units: 20,
            incomeNanoUsd: 70,
            givenNanoUsd: 20,
            // 15 units at 2 and 5 at 8.
            costNanoUsd: { least: 40, most: 40 },
          },
        ],
      },
      {
        product: 'rpc',
        name: 'base-mainnet',
        unit: 'credits',
        days: [{ day: '2026-11-24', charges: 1, units: 20, incomeNanoUsd: 14, givenNanoUsd: 0, costNanoUsd: null }],
      },
    ]);
  });

  it('leave out the income of refunded videos, whose cost is only in the upper bound', async () => {
    const store = await open();
    const { db } = store.store;
    const account = await store.account();
    await charge(db, account, 'video/a-model', { units: 5, amount: 100 });
    const failed = await charge(db, account, 'video/a-model', { units: 5, amount: 100 });
    await db
      .insertInto('video_requests')
      .values({
        id: 'v1',
        account_id: account,
        model: 'a-model',
        upstream: 'studio',
        content: '',
        price: 100,
        request_id: failed,
        state: 'FAILED',
        submitted_at: null,
        upstream_id: null,
        expected_ms: null,
        media_key: null,
        media_bytes: null,
        error: null,
        refunded: 100,
        lease_owner: null,
        next_look_at: 0,
        created_at: NOW,
        ended_at: NOW + 1,
      })
      .execute();
    const { resources } = await new MarginSums({ db, now: () => NOW }).read(costsOf);
    expect(resources[0]?.days).toMatchObject([
      { units: 10, incomeNanoUsd: 100, costNanoUsd: { least: 50, most: 100 } },
    ]);
  });

  it('are read again after half a minute, and of ended days only once', async () => {
    const store = await open();
    const { db } = store.store;
    const account = await store.account();
    const clock = { now: NOW };
    const sums = new MarginSums({ db, now: () => clock.now });
    const income = async () =>
      Object.fromEntries(
        (await sums.read(costsOf)).resources.flatMap(({ days }) => days.map((day) => [day.day, day.incomeNanoUsd])),
      );
    await charge(db, account, 'rpc/base-mainnet', { units: 1, amount: 3, at: NOW - 2 * DAY_MS });
    expect(await income()).toEqual({ '2026-11-22': 3 });
    await charge(db, account, 'rpc/base-mainnet', { units: 1, amount: 4, at: NOW - DAY_MS });
    expect(await income()).toEqual({ '2026-11-22': 3 });
    clock.now += 30_000;
    expect(await income()).toEqual({ '2026-11-22': 3, '2026-11-23': 4 });
    clock.now += 40 * DAY_MS;
    expect(await income()).toEqual({});
  });
});
