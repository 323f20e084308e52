import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeterLimits } from '@/lib/server/billing/meter';
import { SqliteMeter } from '@/lib/server/billing/sqlite/sqlite-meter';
import { listCharges } from '@/lib/server/billing/usage/list-charges';
import { GROUPINGS, sumCharges } from '@/lib/server/billing/usage/sum-charges';
import { openSqlite, type SqliteStore } from '@/lib/server/db/sqlite/open';
import { listMovements } from '@/lib/server/payments/list-movements';
import { refillSums } from '@/test/refill-sums';
import { fillLedger } from './growth-ledger';
import { GROWTH } from './growth';
import { type Law, lawOf, medianOf, timed } from './measurement';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const END = START + DAY_MS;
const ACCOUNT = 1;
const SIZES = [100_000, 1_000_000] as const;
const RUNS = 5;
const capped = (credits: number): MeterLimits => ({
  requestsPerMinute: { standard: null, paid: null, staff: null },
  creditsPerDay: { standard: credits, paid: credits, staff: credits },
});

export interface ReadRow {
  name: string;
  /** Time of this read before its cost was bounded. */
  before: string;
  tookMs: number[];
  stopMs: number[];
  law: Law;
}

interface Read {
  name: string;
  before: string;
  run(store: SqliteStore): Promise<unknown>;
}

const PERIOD = { accountId: ACCOUNT, from: START, until: END };
const PAGE = { limit: 50, skip: 0, after: null };
const READS: readonly Read[] = [
  {
    name: 'first page of x402/transactions',
    before: '12 to 13.5 s at 10M rows, in one stop',
    run: ({ db }) => listMovements(db, ACCOUNT, { limit: 50, offset: 0 }),
  },
  {
    name: 'usage?resource= that matches nothing',
    before: '5 to 6 s at 10M rows, in one stop',
    run: ({ db }) => listCharges(db, { ...PERIOD, resource: 'rpc/base-mainnet' }, PAGE),
  },
  {
    name: 'usage?apiKeyId= that matches nothing',
    before: '5 to 6 s at 10M rows, in one stop',
    run: ({ db }) => listCharges(db, { ...PERIOD, apiKeyId: 1 }, PAGE),
  },
  ...GROUPINGS.map((grouping) => ({
    name: `usage?groupBy=${grouping}`,
    before: '0.8 to 1.7 s at 400,000 rows, in one stop',
    run: ({ db }: SqliteStore) => sumCharges(db, PERIOD, grouping),
  })),
  ...[
    { name: 'first call after a start', credits: 1e9 },
    // The cap is below the daily sums, so the meter also reads single charges.
    { name: 'first call after a start near the cap of credits', credits: 1_000_000 },
  ].map(({ name, credits }) => ({
    name,
    before: '0.25 s at 400,000 rows, in one stop',
    run: async (store: SqliteStore) =>
      new SqliteMeter(store, capped(credits)).reserve({
        caller: { accountId: ACCOUNT, apiKeyId: null, purse: 'account' },
        keyHash: null,
        maxNanoUsd: 1,
        maxCredits: 20,
        idempotency: null,
        now: END,
      }),
  })),
];

export async function measureGrowingReads(progress: (text: string) => void): Promise<ReadRow[]> {
  const rows = READS.map(({ name, before }) => ({ name, before, tookMs: [] as number[], stopMs: [] as number[] }));
  for (const charges of SIZES) {
    progress(`${GROWTH}, reads with ${charges} charges`);
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-growth-'));
    const store = await openSqlite(folder, { exclusive: false });
    try {
      fillLedger(store.meterConnection, {
        accounts: 1,
        active: 1,
        days: 1,
        chargesPerDay: charges,
        payments: 1,
        videos: 0,
        start: START,
      });
      await refillSums(store.db);
      for (const [index, read] of READS.entries()) {
        const runs: [number, number][] = [];
        for (let run = 0; run < RUNS; run++) runs.push(await timed(() => read.run(store)));
        rows[index]?.tookMs.push(medianOf(runs.map(([tookMs]) => tookMs)));
        rows[index]?.stopMs.push(medianOf(runs.map(([, stopMs]) => stopMs)));
      }
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  progress('');
  return rows.map((row) => ({ ...row, law: lawOf(row.tookMs, SIZES) }));
}

export function renderGrowingReads(rows: readonly ReadRow[]): string {
  if (rows.length === 0) return '';
  const both = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(' / ');
  return [
    `Reads of a caller with ${SIZES.map((size) => size.toLocaleString('en')).join(' / ')} charges today`,
    ...rows.map(
      ({ name, before, tookMs, stopMs, law }) =>
        `  ${name}: ${both(tookMs)} ms, longest stop ${both(stopMs)} ms, ${law}; before: ${before}`,
    ),
    '',
  ].join('\n');
}
