import { expect, it, vi } from 'vitest';
import { checkMeasurementLog } from '@/lib/protocol/attestation/measurement-log';
import { ReceiptKeys } from '@/lib/server/billing/receipts/receipt-keys';
import { Secret } from '@/lib/server/config/secret';
import { createLog } from '@/lib/server/telemetry/log';
import { describeStores } from '@/test/describe-stores';
import { listMeasurements } from '../db/measurements';
import type { Database } from '../db/schema';
import { MeasurementLog } from './measurement-log';

const HOUR_MS = 3_600_000;

type Verdict = Parameters<MeasurementLog['note']>[1];

function verdict(mrTd: string, conclusion = 'verified', ...others: string[]): Verdict {
  const enclaves = [mrTd, ...others].map((each) => ({
    role: 'model',
    hardware: 'intel-tdx',
    isUsed: true,
    measurements: { kind: 'intel-tdx', mrTd: each, rtMr0: '00' },
    name: null,
    keys: [],
  }));
  return { conclusion, enclaves } as never;
}

async function opened(db: Database) {
  const keys = await ReceiptKeys.open(db, new Secret('s'.repeat(32)));
  const clock = { ms: 10 * HOUR_MS };
  const log = createLog('silent');
  const open = () => new MeasurementLog({ db, keys, now: () => clock.ms, log });
  const rows = () => listMeasurements(db, { model: undefined, after: 0, limit: 1_000 });
  const check = async () =>
    checkMeasurementLog({ signatures: (await rows()).map(({ entry }) => entry), keys: { keys: keys.keys } });
  return { open, rows, check, clock, log };
}

describeStores('the log of measurements', (open) => {
  it('gets an entry per change, also back to an earlier measurement, each signed and chained', async () => {
    const { open: start, check, rows } = await opened((await open()).store.db);
    const log = start();
    for (const mrTd of ['aa', 'aa', 'bb', 'aa']) await log.note('m', verdict(mrTd));
    await log.note('other', verdict('aa'));
    await start().note('m', verdict('bb'));
    expect(await check()).toMatchObject({
      fault: null,
      entries: [
        { model: 'm', registers: { mrTd: 'aa', rtMr0: '00' }, changed: [], at: 36_000 },
        { model: 'm', registers: { mrTd: 'bb', rtMr0: '00' }, changed: ['mrTd'] },
        { model: 'm', registers: { mrTd: 'aa', rtMr0: '00' }, changed: ['mrTd'] },
        { model: 'other', registers: { mrTd: 'aa' }, changed: [] },
        { model: 'm', registers: { mrTd: 'bb', rtMr0: '00' }, changed: ['mrTd'] },
      ],
    });
    expect(await rows()).toHaveLength(5);
  });

  it('gets no further entry while several enclaves of a model keep what they measure', async () => {
    const { open: start, rows } = await opened((await open()).store.db);
    const log = start();
    await log.note('m', verdict('aa', 'verified', 'bb', 'aa'));
    await log.note('m', verdict('bb', 'verified', 'aa'));
    expect((await rows()).map(({ is_current: isCurrent }) => isCurrent)).toEqual([1, 1]);
    await log.note('m', verdict('bb'));
    await log.note('m', verdict('aa', 'verified', 'bb'));
    expect(await rows()).toHaveLength(3);
  });

  it('stays whole when several processes write at once', async () => {
    const { open: start, check } = await opened((await open()).store.db);
    await Promise.all(['aa', 'bb', 'cc'].map((mrTd) => start().note(mrTd, verdict(mrTd))));
    await Promise.all(['dd', 'dd', 'dd'].map((mrTd) => start().note('aa', verdict(mrTd))));
    expect(await check()).toMatchObject({ fault: null, head: { seq: 4 } });
  });

  it('never goes back in time, also if a process has a slow clock', async () => {
    const { open: start, check, clock } = await opened((await open()).store.db);
    await start().note('m', verdict('aa'));
    clock.ms -= HOUR_MS;
    await start().note('m', verdict('bb'));
    expect(await check()).toMatchObject({ fault: null, entries: [{ at: 36_000 }, { at: 36_000 }] });
  });

  it('gets when a measurement was last seen at most once an hour', async () => {
    const { open: start, rows, clock } = await opened((await open()).store.db);
    const log = start();
    const seen = async (afterMs: number) => {
      clock.ms = 10 * HOUR_MS + afterMs;
      await log.note('m', verdict('aa'));
      return ((await rows())[0]?.last_seen ?? 0) - 10 * HOUR_MS;
    };
    expect([await seen(0), await seen(HOUR_MS - 1), await seen(HOUR_MS)]).toEqual([0, 0, HOUR_MS]);
  });

  it('gets nothing from a verdict that proves nothing, nor what is no measurement', async () => {
    const { open: start, rows, log } = await opened((await open()).store.db);
    const warn = vi.spyOn(log, 'warn');
    await start().note('m', verdict('aa', 'failed'));
    await start().note('m', verdict('aa', 'not-checkable'));
    expect(warn).not.toHaveBeenCalled();
    await start().note('m', verdict('no hex'));
    await start().note('m'.repeat(300), verdict('aa'));
    expect([await rows(), warn.mock.calls.length]).toEqual([[], 2]);
  });

  it('counts the returns of a model beyond 24 a day, signs their number next, and still takes a new measurement', async () => {
    const { open: start, rows, check, clock } = await opened((await open()).store.db);
    const log = start();
    for (let each = 0; each < 30; each += 1) await log.note('m', verdict(each % 2 === 0 ? 'aa' : 'bb'));
    // Two new measurements, 24 returns, and 4 that were skipped.
    expect(await rows()).toHaveLength(26);
    expect((await rows()).at(-1)?.skipped).toBe(4);
    await log.note('m', verdict('cc'));
    await log.note('other', verdict('aa'));
    clock.ms += 24 * HOUR_MS;
    await log.note('m', verdict('aa'));
    const whole = await check();
    const entries = whole.fault === null ? whole.entries : [];
    expect(entries.slice(25).map(({ model, skipped }) => [model, skipped])).toEqual([
      ['m', undefined],
      ['m', 4],
      ['other', undefined],
      ['m', undefined],
    ]);
  });

  it('counts new measurements of a model beyond 250 a day, each once, and no other model of that day', async () => {
    const { db } = (await open()).store;
    const { open: start, rows, clock } = await opened(db);
    await start().note('first', verdict('aa'));
    const entry = (await rows())[0]?.entry ?? '';
    const at = clock.ms;
    const row = (seq: number) => ({ seq, digest: `${seq}`, model: 'm', role: 'router', entry, last_seen: at });
    await db
      .insertInto('measurements')
      .values(Array.from({ length: 250 }, (_, index) => ({ ...row(index + 2), logged_at: at })))
      .execute();
    const log = start();
    for (const mrTd of ['aa', 'aa', 'bb']) await log.note('m', verdict(mrTd));
    expect([(await rows()).length, (await rows()).at(-1)?.skipped]).toEqual([251, 2]);
    await log.note('other', verdict('aa'));
    expect(await rows()).toHaveLength(252);
    clock.ms += 24 * HOUR_MS;
    await log.note('m', verdict('aa'));
    expect(await rows()).toHaveLength(253);
  });
});
