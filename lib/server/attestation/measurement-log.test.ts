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

function verdict(mrTd: string, conclusion = 'verified'): Verdict {
  const measurements = { kind: 'intel-tdx', mrTd, rtMr0: '00' };
  return {
    conclusion,
    enclaves: [{ role: 'model', hardware: 'intel-tdx', isUsed: true, measurements, name: null, keys: [] }],
  } as never;
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
  it('gets one entry per new measurement, each signed, chained and with what changed', async () => {
    const { open: start, check } = await opened((await open()).store.db);
    const log = start();
    for (const mrTd of ['aa', 'aa', 'bb', 'aa']) await log.note('m', verdict(mrTd));
    await log.note('other', verdict('aa'));
    await start().note('m', verdict('bb'));
    expect(await check()).toMatchObject({
      fault: null,
      entries: [
        { model: 'm', registers: { mrTd: 'aa', rtMr0: '00' }, changed: [], at: 36_000 },
        { model: 'm', registers: { mrTd: 'bb', rtMr0: '00' }, changed: ['mrTd'] },
        { model: 'other', registers: { mrTd: 'aa' }, changed: [] },
      ],
    });
  });

  it('stays whole when several processes write at once', async () => {
    const { open: start, check } = await opened((await open()).store.db);
    await Promise.all(['aa', 'bb', 'cc', 'aa'].map((mrTd) => start().note('m', verdict(mrTd))));
    const verdictOfLog = await check();
    expect(verdictOfLog).toMatchObject({ fault: null, head: { seq: 3 } });
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

  it('has at most 250 entries of a model', async () => {
    const { db } = (await open()).store;
    const { open: start, rows } = await opened(db);
    await start().note('first', verdict('aa'));
    const entry = (await rows())[0]?.entry ?? '';
    const row = (seq: number) => ({ seq, digest: `${seq}`, model: 'm', role: 'router', entry, last_seen: 1 });
    await db
      .insertInto('measurements')
      .values(Array.from({ length: 250 }, (_, index) => row(index + 2)))
      .execute();
    await start().note('m', verdict('aa'));
    expect(await rows()).toHaveLength(251);
    await start().note('other', verdict('aa'));
    expect(await rows()).toHaveLength(252);
  });
});
