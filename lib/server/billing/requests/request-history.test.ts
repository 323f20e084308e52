import { expect, it } from 'vitest';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import { eraseAccount } from '@/lib/server/db/erase-account';
import { exportAccount } from '@/lib/server/db/exported-account';
import type { Database } from '@/lib/server/db/schema';
import { RequestRecord } from '@/lib/server/http/request-record';
import { describeStores } from '@/test/describe-stores';
import { keptLog } from '@/test/kept-log';
import { listRequests, type RequestFilter } from './list-requests';
import { sumRequests } from './sum-requests';
import { RequestHistory, type RequestHistorySettings } from './request-history';

const NOON = Date.UTC(2026, 10, 20, 12);

/** Returns a history over a database. The test sets its clock. */
function historyOf(db: Database, settings: Partial<RequestHistorySettings> = {}) {
  const kept = keptLog();
  const clock = { now: NOON };
  const history = new RequestHistory({
    db,
    config: { days: 30, perAccountMax: 100 },
    isFull: () => false,
    now: () => clock.now,
    log: kept.log,
    ...settings,
  });
  let ids = 0;
  const note = (accountId: number | null, facts: Partial<RequestRecord> = {}): void => {
    const record = Object.assign(new RequestRecord({ header: () => null }), { accountId, status: 200, ...facts });
    history.note('rpc', record, `r${ids++}`);
  };
  const list = async (accountId: number, filter: Partial<RequestFilter> = {}): Promise<string[]> => {
    const all = { accountId, from: 0, until: clock.now + 1, ...filter };
    return (await listRequests(db, all, { limit: 500, after: null })).requests.map(({ requestId }) => requestId);
  };
  return { history, note, list, clock, kept };
}

describeStores('the log of requests', (open) => {
  it('keeps who asked what, how it came out, how long it took and what it cost', async () => {
    const books = await open();
    const { db } = books.store;
    const account = await books.account();
    const key = await books.key(account, { description: 'bot' });
    const { history, note, clock } = historyOf(db);
    note(account, {
      apiKeyId: key.id,
      method: 'eth_call',
      startedAt: 10,
      endedAt: 12.5,
      units: 20,
      costNanoUsd: 14_000,
    });
    clock.now += 1;
    note(account, { status: 429, code: 'MINUTE_CAP', startedAt: 10, endedAt: 10.1 });
    await history.write();
    const { requests } = await listRequests(
      db,
      { accountId: account, from: NOON, until: NOON + 2 },
      { limit: 10, after: null },
    );
    const unnamed = { product: 'rpc', network: null, model: null };
    expect(requests.map(({ id: _id, ...request }) => request)).toEqual([
      {
        ...unnamed,
        at: NOON + 1,
        method: null,
        status: 429,
        code: 'MINUTE_CAP',
        isFailed: true,
        durationUs: 100,
        units: 0,
        cost: 0,
        apiKey: null,
        requestId: 'r1',
      },
      {
        ...unnamed,
        at: NOON,
        method: 'eth_call',
        status: 200,
        code: null,
        isFailed: false,
        durationUs: 2_500,
        units: 20,
        cost: 14_000,
        apiKey: { id: key.id, last6: expect.any(String), description: 'bot' },
        requestId: 'r0',
      },
    ]);
    expect(history.figures).toEqual({ written: 2, dropped: 0, waiting: 0 });
  });

  it('shows an account its own requests alone, and keeps none of unknown callers', async () => {
    const books = await open();
    const [one, other] = [await books.account(), await books.account()];
    const { history, note, list } = historyOf(books.store.db);
    for (const account of [one, other, null, 0]) note(account);
    await history.write();
    expect([await list(one), await list(other), await list(0)]).toEqual([['r0'], ['r1'], []]);
  });

  it('leads through pages without a gap, and filters by outcome', async () => {
    const books = await open();
    const account = await books.account();
    const { history, note, list, clock } = historyOf(books.store.db);
    for (const facts of [{}, { status: 404 }, { isCut: true }, { status: 500, code: 'INTERNAL' as const }])
      note(account, facts);
    clock.now++;
    note(account, { method: 'eth_call' });
    await history.write();
    const seen: string[] = [];
    let after: { at: number; id: number } | null = null;
    do {
      const all = { accountId: account, from: 0, until: clock.now + 1 };
      const page = await listRequests(books.store.db, all, { limit: 2, after });
      seen.push(...page.requests.map(({ requestId }) => requestId));
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(['r4', 'r3', 'r2', 'r1', 'r0']);
    expect(await list(account, { isFailed: true })).toEqual(['r3', 'r2', 'r1']);
    expect(await list(account, { isFailed: false })).toEqual(['r4', 'r0']);
    expect(await list(account, { status: [400, 499] })).toEqual(['r1']);
    expect(await list(account, { code: 'INTERNAL' })).toEqual(['r3']);
    expect(await list(account, { method: 'eth_call' })).toEqual(['r4']);
    expect(await list(account, { product: 'chat' })).toEqual([]);
  });

  it("sums an account's requests by hour", async () => {
    const books = await open();
    const { db } = books.store;
    const [account, other] = [await books.account(), await books.account()];
    const { history, note, clock } = historyOf(db);
    note(account, { endedAt: 1, units: 20, costNanoUsd: 14_000 });
    note(account, { endedAt: 3, status: 500 });
    note(other);
    clock.now += 3_600_000;
    note(account, { endedAt: 5 });
    await history.write();
    const all = { accountId: account, from: 0, until: clock.now + 1 };
    const whole = { product: null, split: null };
    expect(await sumRequests(db, all, 'hour')).toEqual([
      {
        at: NOON,
        ...whole,
        requests: 2,
        failed: 1,
        averageUs: 2_000,
        p50Us: 1_000,
        p95Us: 3_000,
        units: 20,
        cost: 14_000,
      },
      {
        at: NOON + 3_600_000,
        ...whole,
        requests: 1,
        failed: 0,
        averageUs: 5_000,
        p50Us: 5_000,
        p95Us: 5_000,
        units: 0,
        cost: 0,
      },
    ]);
    expect(await sumRequests(db, { ...all, isFailed: true }, 'hour')).toHaveLength(1);
    expect(await sumRequests(db, all, 'day')).toMatchObject([{ requests: 3, p50Us: 3_000, p95Us: 5_000 }]);
  });

  it('splits the sums by product, network, model, key and status', async () => {
    const books = await open();
    const { db } = books.store;
    const account = await books.account();
    const { history, note, clock } = historyOf(db);
    for (const facts of [{}, { status: 429, code: 'MINUTE_CAP' }, { isCut: true }]) note(account, facts);
    await history.write();
    const all = { accountId: account, from: 0, until: clock.now + 1 };
    const splits = async (by: 'product' | 'network' | 'model' | 'key' | 'status') =>
      (await sumRequests(db, all, 'day', by)).map(({ product, split, requests, failed }) => [
        product,
        split,
        requests,
        failed,
      ]);
    expect(await splits('product')).toEqual([['rpc', 'rpc', 3, 2]]);
    expect(await splits('network')).toEqual([['rpc', null, 3, 2]]);
    expect(await splits('model')).toEqual([['rpc', null, 3, 2]]);
    expect(await splits('key')).toEqual([['rpc', null, 3, 2]]);
    expect(new Set(await splits('status'))).toEqual(
      new Set([
        ['rpc', '200', 1, 0],
        ['rpc', '429', 1, 1],
        ['rpc', 'interrupted', 1, 1],
      ]),
    );
  });

  it('keeps the newest of an account, and failures whatever succeeds after them', async () => {
    const books = await open();
    const [busy, other] = [await books.account(), await books.account()];
    const { history, note, list } = historyOf(books.store.db, { random: () => 0 });
    note(busy, { status: 500 });
    note(other);
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 700; i++) note(busy);
      await history.write();
    }
    expect(await list(busy, { isFailed: false })).toEqual(Array.from({ length: 100 }, (_, i) => `r${1401 - i}`));
    expect(await list(busy, { isFailed: true })).toEqual(['r0']);
    expect(await list(other)).toEqual(['r1']);
  });

  it('forgets what is older than its days, and nothing else', async () => {
    const books = await open();
    const account = await books.account();
    const { history, note, list, clock } = historyOf(books.store.db);
    for (let i = 0; i < 1_100; i++) {
      if (i === 700) await history.write();
      note(account);
    }
    clock.now += 10 * DAY_MS;
    note(account);
    await history.write();
    clock.now += 20 * DAY_MS + 1;
    await history.forget();
    expect(await list(account)).toEqual(['r1100']);
  });

  it('is exported with its account, erased with it, and takes nothing of it afterwards', async () => {
    const books = await open();
    const { db } = books.store;
    const [account, other] = [await books.account(), await books.account()];
    const { history, note, list } = historyOf(db);
    for (const id of [account, other]) note(id);
    await history.write();
    expect((await exportAccount(db, account))['requests']).toEqual([
      expect.objectContaining({ request_id: 'r0', product: 'rpc', status: 200 }),
    ]);
    note(account);
    await eraseAccount(db, account, { forfeit: true }, NOON);
    await history.write();
    expect([await list(account), await list(other)]).toEqual([[], ['r1']]);
  });

  it('drops and counts what finds no room, and lets no account take all of it', async () => {
    const books = await open();
    const [busy, quiet] = [await books.account(), await books.account()];
    const { history, note, list } = historyOf(books.store.db, { random: () => 1 });
    for (let i = 0; i < 2_000; i++) note(busy);
    note(quiet);
    note(busy, { status: 500 });
    expect(history.figures).toEqual({ written: 0, dropped: 1_200, waiting: 802 });
    for (let i = 0; i < 6_000; i++) note(10_000 + i);
    expect(history.figures.waiting).toBe(5_000);
    // Requests of accounts that exist are written, although the others' accounts do not exist.
    await history.write();
    expect([await list(quiet), (await list(busy, { isFailed: true })).length]).toEqual([['r2000'], 1]);
  });

  it('keeps requests in memory while the store fails or is full, and writes them later', async () => {
    const books = await open();
    const account = await books.account();
    const trouble: { is: 'away' | 'full' | null } = { is: 'away' };
    const db = new Proxy(books.store.db, {
      get: (store, name) => {
        if (trouble.is === 'away') throw new Error('away');
        const member: unknown = Reflect.get(store, name);
        return typeof member === 'function' ? (member.bind(store) as unknown) : member;
      },
    });
    const { history, note, kept } = historyOf(db, { isFull: () => trouble.is === 'full' });
    note(account);
    await history.write();
    await history.write();
    expect(kept.lines('writing the request log failed')).toHaveLength(1);
    trouble.is = 'full';
    await history.write();
    expect(history.figures).toMatchObject({ written: 0, waiting: 1 });
    trouble.is = null;
    await history.write();
    expect(history.figures).toMatchObject({ written: 1, waiting: 0 });
  });

  it('writes what is in memory when it stops', async () => {
    const books = await open();
    const account = await books.account();
    const { history, note, list } = historyOf(books.store.db);
    history.start();
    note(account);
    const stopping = history.stop();
    note(account);
    await stopping;
    expect(await list(account)).toEqual(['r1', 'r0']);
  });

  it('keeps nothing where the operator wants no log', async () => {
    const books = await open();
    const account = await books.account();
    const { history, note, list } = historyOf(books.store.db, { config: { days: 0, perAccountMax: 100 } });
    note(account);
    await history.write();
    expect(await list(account)).toEqual([]);
  });
});
