import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { Metrics } from '@/lib/server/telemetry/metrics';
import { tempFolder } from '@/test/temp-folder';
import { lastLedgerCheck, noteLedgerCheck } from './ledger-check';
import { measureStore } from './store-metrics';

const NOW = 1_800_000_000_000;

async function measured() {
  const { db, close } = await openSqlite(tempFolder(), { exclusive: true });
  onTestFinished(close);
  const clock = { now: NOW };
  const metrics = new Metrics();
  measureStore(metrics, {
    db,
    pools: () => [{ name: 'meter', totalCount: 5, idleCount: 2, waitingCount: 7 }],
    now: () => clock.now,
  });
  const lines = async (name: string): Promise<string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
  return { db, clock, lines };
}

describe('the check of the books', () => {
  it('has no age before the first one, and then that of the last, with its faults', async () => {
    const { db, clock, lines } = await measured();
    expect(await lines('turnpike_ledger_check')).toEqual([]);
    await noteLedgerCheck(db, { at: NOW - 90_000, faults: 2 });
    await noteLedgerCheck(db, { at: NOW - 60_000, faults: 0 });
    expect(await lastLedgerCheck(db)).toEqual({ at: NOW - 60_000, faults: 0 });
    clock.now += 20_000;
    expect(await lines('turnpike_ledger_check')).toEqual([
      'turnpike_ledger_check_age_seconds 80',
      'turnpike_ledger_check_faults 0',
    ]);
  });

  it('is asked of the store no more than every ten seconds, and its age goes on', async () => {
    const { db, clock, lines } = await measured();
    await noteLedgerCheck(db, { at: NOW, faults: 0 });
    await lines('turnpike_ledger_check');
    await noteLedgerCheck(db, { at: NOW, faults: 3 });
    clock.now += 5_000;
    expect(await lines('turnpike_ledger_check')).toEqual([
      'turnpike_ledger_check_age_seconds 5',
      'turnpike_ledger_check_faults 0',
    ]);
    clock.now += 6_000;
    expect(await lines('turnpike_ledger_check_faults')).toEqual(['turnpike_ledger_check_faults 3']);
  });
});

describe('connections to the store', () => {
  it('are those at work, those that are free, and the queries that wait for one', async () => {
    const { lines } = await measured();
    expect(await lines('turnpike_store_')).toEqual([
      'turnpike_store_connections{pool="meter",state="idle"} 2',
      'turnpike_store_connections{pool="meter",state="busy"} 3',
      'turnpike_store_queries_waiting{pool="meter"} 7',
    ]);
  });
});
