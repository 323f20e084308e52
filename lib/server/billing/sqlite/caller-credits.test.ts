import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import type { MeterLimits } from '../meter';
import { refillSums } from '@/test/refill-sums';
import { SqliteBooks } from '@/test/sqlite-books';
import { UNLIMITED } from '@/test/metered-store';
import { SqliteMeter } from './sqlite-meter';

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;
const OPENING = 1_000_000;

const capped = (credits: number): MeterLimits => ({
  ...UNLIMITED,
  creditsPerDay: { standard: credits, paid: credits, staff: credits },
});

/** Returns books with charges of one account: pairs of time and credits, of an RPC network unless named otherwise. */
async function booksOf(charges: readonly (readonly [at: number, credits: number, resource?: string])[]) {
  const books = await SqliteBooks.open();
  const account = await books.account({ usd: OPENING });
  const rows = charges.map(([at, units, resource = 'rpc/test'], index) => ({
    account_id: account,
    pot: 'usd' as const,
    kind: 'CHARGE' as const,
    amount: -1,
    balance_after: OPENING - index - 1,
    api_key_id: null,
    resource,
    detail: 'm',
    units,
    request_id: `r${index}`,
    created_at: at,
  }));
  const { db } = books.store;
  for (let start = 0; start < rows.length; start += 500)
    await db
      .insertInto('ledger')
      .values(rows.slice(start, start + 500))
      .execute();
  await db
    .updateTable('meters')
    .set({ usd: OPENING - rows.length })
    .where('account_id', '=', account)
    .execute();
  await refillSums(db);
  return { books, account };
}

describe('The credits of a caller after a start', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
  afterEach(() => void vi.useRealTimers());

  it('are taken from daily sums where these allow the call, so single charges are not read', async () => {
    const { books, account } = await booksOf([
      [NOON - DAY - MINUTE, 20],
      [NOON - 1, 20],
    ]);
    const prepare = vi.spyOn(books.store.meterConnection, 'prepare');
    const meter = new SqliteMeter(books.store, capped(60));
    expect(prepare.mock.calls.some(([text]) => text.includes('charge_days where'))).toBe(true);
    prepare.mockRestore();
    expect(meter.reserve(books.request(account, 1, { maxCredits: 20 }))).toMatchObject({ outcome: 'admitted' });
    // The sums no longer allow a call, but the single charges do: one of them is older than 24 hours.
    expect(await meter.reserve(books.request(account, 1, { maxCredits: 20 }))).toMatchObject({ outcome: 'admitted' });
    expect(await meter.reserve(books.request(account, 1, { maxCredits: 1 }))).toMatchObject({
      refusal: { reason: 'credit-cap', limit: 60, remaining: 0, resetAt: NOON + DAY },
    });
  });

  it('are read with pauses in which others are served, and what is charged meanwhile counts once', async () => {
    const { books, account } = await booksOf(
      Array.from({ length: 5_000 }, (_none, index) => [NOON - DAY / 2 + index, 2, index % 2 ? 'rpc/test' : 'chat/m']),
    );
    const meter = new SqliteMeter(books.store, capped(5_100));
    const running = await meter.reserve(books.request(account, 1, { maxCredits: 80 }));
    const other = await books.account({ usd: 100 });
    let isRead = false;
    const waiting = (async () => {
      const admission = await meter.reserve(books.request(account, 1, { maxCredits: 40 }));
      isRead = true;
      return admission;
    })();
    if (running.outcome !== 'admitted') throw new Error(running.outcome);
    const settled = meter.settle(running.reservation, {
      amountNanoUsd: 1,
      credits: 80,
      resource: 'rpc/test',
      detail: 'm',
      requestId: 'meanwhile',
      replayBody: null,
    });
    expect(meter.reserve(books.request(other, 1))).toMatchObject({ outcome: 'admitted' });
    await turn();
    expect(isRead).toBe(false);
    await settled;
    expect(await waiting).toMatchObject({ refusal: { reason: 'credit-cap', remaining: 20 } });
    expect(meter.reserve(books.request(account, 1, { maxCredits: 20 }))).toMatchObject({ outcome: 'admitted' });
  });

  it('are the same as those of single charges, wherever the cap is', async () => {
    const random = new SeededRandom(7);
    const charges = Array.from(
      { length: 200 },
      () =>
        [NOON - random.integer(0, 2 * DAY), random.integer(1, 40), random.chance(0.8) ? 'rpc/test' : 'chat/m'] as const,
    );
    const { books, account } = await booksOf(charges);
    const counted = charges
      .filter(([at, , resource]) => resource === 'rpc/test' && Math.floor(at / MINUTE) >= NOON / MINUTE - 1_440)
      .reduce((sum, [, credits]) => sum + credits, 0);
    for (const spare of [-1, 0, 19, 20, 21, 10_000]) {
      const meter = new SqliteMeter(books.store, capped(counted + spare));
      const admission = await meter.reserve(books.request(account, 1, { maxCredits: 20 }));
      expect(admission.outcome).toBe(spare < 20 ? 'refused' : 'admitted');
      if (admission.outcome === 'refused')
        expect(admission.refusal).toMatchObject({ remaining: Math.max(0, spare), limit: counted + spare });
    }
  });
});
