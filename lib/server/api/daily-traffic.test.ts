import { expect, it, onTestFinished } from 'vitest';
import { describeStores } from '@/test/describe-stores';
import { keptLog } from '@/test/kept-log';
import { dailyTotals } from '../billing/operator-figures';
import { REQUEST_SECONDS } from '../billing/traffic-figures';
import type { Database } from '../db/schema';
import { DailyTraffic } from './daily-traffic';
import { sampleOf } from './traffic-window';
import { LatencySeries } from '../telemetry/latency-histogram';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 24, 12);

/** Starts a gateway process that counts requests. */
function gateway(db: Database) {
  const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'].map(() => new LatencySeries(REQUEST_SECONDS));
  const clock = { now: NOON };
  const kept = keptLog();
  const take = () => sampleOf([classes], REQUEST_SECONDS);
  const traffic = new DailyTraffic({ db, log: kept.log, now: () => clock.now, take });
  onTestFinished(() => traffic.close());
  const answer = (status: number, seconds: number) => classes[status - 1]?.observe(seconds);
  return { traffic, clock, kept, answer };
}

async function trafficOn(db: Database, now: number, days = 1) {
  return (await dailyTotals(db, { days, now })).map(({ day, traffic }) => [day, traffic?.requests, traffic?.failed]);
}

describeStores('the requests of a day', (open) => {
  it('outlive the process that counted them, and are counted once', async () => {
    const { db } = (await open()).store;
    const first = gateway(db);
    for (let i = 0; i < 19; i++) first.answer(2, 0.02);
    first.answer(5, 0.2);
    await first.traffic.write();
    await first.traffic.write();
    first.answer(4, 0.02);
    await first.traffic.close();
    const second = gateway(db);
    second.answer(2, 0.02);
    await second.traffic.write();
    expect((await dailyTotals(db, { days: 2, now: NOON })).map(({ traffic }) => traffic)).toEqual([
      null,
      { requests: 22, failed: 1, p95Ms: expect.closeTo(24.93, 1) as number },
    ]);
  });

  it('are the sum of all processes that write at a time', async () => {
    const { db } = (await open()).store;
    const processes = Array.from({ length: 4 }, () => gateway(db));
    for (let round = 0; round < 5; round++) {
      for (const each of processes) each.answer(2, 0.02);
      await Promise.all(processes.map(({ traffic }) => traffic.write()));
    }
    expect(await trafficOn(db, NOON)).toEqual([['2026-11-24', 20, 0]]);
  });

  it('are kept for 30 days', async () => {
    const { db } = (await open()).store;
    const { traffic, clock, answer } = gateway(db);
    for (let day = 0; day <= 30; day++) {
      clock.now = NOON + day * DAY_MS;
      answer(2, 0.02);
      await traffic.write();
    }
    const days = await trafficOn(db, clock.now, 32);
    expect(days.slice(0, 3)).toEqual([
      ['2026-11-23', undefined, undefined],
      ['2026-11-24', undefined, undefined],
      ['2026-11-25', 1, 0],
    ]);
    expect(days.at(-1)).toEqual(['2026-12-24', 1, 0]);
  });

  it('are written later if the store fails, and what is not a count is replaced', async () => {
    const { db } = (await open()).store;
    await db.insertInto('installation').values({ name: 'traffic 2026-11-24', value: '{"requests":-1}' }).execute();
    expect(await trafficOn(db, NOON)).toEqual([['2026-11-24', undefined, undefined]]);
    let isAway = true;
    const failing = new Proxy(db, {
      get: (store, name) => {
        if (isAway) throw new Error('away');
        const member: unknown = Reflect.get(store, name);
        return typeof member === 'function' ? (member.bind(store) as unknown) : member;
      },
    });
    const { traffic, kept, answer } = gateway(failing);
    answer(2, 0.02);
    await traffic.write();
    await traffic.write();
    expect(kept.lines('writing the daily request counts failed')).toHaveLength(1);
    isAway = false;
    answer(2, 0.02);
    await traffic.write();
    expect(await trafficOn(db, NOON)).toEqual([['2026-11-24', 2, 0]]);
  });
});
