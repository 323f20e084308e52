import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkLedger, checkSinceProof, proveWhole } from '@/lib/server/billing/ledger-check';
import { saveProof } from '@/lib/server/billing/ledger-proof';
import { operatorFigures } from '@/lib/server/billing/operator-figures';
import { archiveLedger } from '@/lib/server/billing/retention/ledger-archiver';
import { sumCharges } from '@/lib/server/billing/usage/sum-charges';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { refillSums } from '@/test/refill-sums';
import { fillLedger, type GrownLedger } from './growth-ledger';
import { timed } from './measurement';

export const GROWTH = 'growth';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** Time and space that one ledger on SQLite takes. Times are in milliseconds. */
export interface GrowthRow {
  name: string;
  charges: number;
  /** Bytes per ledger row in the database, including indexes. */
  rowBytes: number;
  archiveMs: number;
  /** Longest time for which archiving blocked its thread. */
  stopMs: number;
  /** Time to archive one more day, on which one account made calls. */
  nextDayMs: number;
  checkMs: number;
  /** Time of a second `ledger check`, which relies on the proof of the first. */
  checkNewMs: number;
  /** Time to compute the operator's figures for 30 days. */
  figuresMs: number;
  /** Time to read a busy account's usage by day. */
  usageMs: number;
}

const ROW_BYTES = `select sum(pgsize) * 1.0 / (select count(*) from ledger_rows) as rowBytes from dbstat
  where name in (select name from sqlite_master where tbl_name = 'ledger_rows')`;

const SMALL: Omit<GrownLedger, 'start'> = {
  accounts: 100,
  active: 20,
  days: 20,
  chargesPerDay: 100,
  payments: 0,
  videos: 0,
};
const LEDGERS: readonly (Omit<GrownLedger, 'start'> & { name: string })[] = [
  { ...SMALL, name: '40,000 charges of 20 accounts' },
  { ...SMALL, name: '160,000 charges of 20 accounts', days: 80 },
  { ...SMALL, name: '160,000 charges of 1 account', active: 1, chargesPerDay: 8_000 },
  { ...SMALL, name: '1,000 charges beside 300,000 accounts', accounts: 300_000, active: 1, chargesPerDay: 50 },
  {
    ...SMALL,
    name: '5,000 payments and 5,000 videos of 2 accounts',
    active: 2,
    chargesPerDay: 1_000,
    payments: 5_000,
    videos: 5_000,
  },
];

/**
 * Measures archiving and `ledger check` on ledgers of several sizes. Neither should become slower as the ledger grows.
 */
export async function measureGrowth(progress: (text: string) => void): Promise<GrowthRow[]> {
  const rows: GrowthRow[] = [];
  for (const { name, ...ledger } of LEDGERS) {
    progress(`${GROWTH}, ${name}`);
    rows.push(await measureLedger(name, { ...ledger, start: START }));
  }
  progress('');
  return rows;
}

async function measureLedger(name: string, ledger: GrownLedger): Promise<GrowthRow> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-growth-'));
  const { db, meterConnection, close } = await openSqlite(folder, { exclusive: false });
  try {
    const charges = fillLedger(meterConnection, ledger);
    await refillSums(db);
    const { rowBytes } = meterConnection.prepare(ROW_BYTES).get() as { rowBytes: number };
    const prove = (check: typeof proveWhole) => async (): Promise<void> => {
      const { faults, proof } = await check(db);
      refuse(faults);
      await saveProof(db, proof);
    };
    const [checkMs] = await timed(prove(proveWhole));
    const [checkNewMs] = await timed(prove(checkSinceProof));
    const end = START + ledger.days * DAY_MS;
    const [figuresMs] = await timed(() => operatorFigures(db, { days: 30, now: end }));
    const [usageMs] = await timed(() => sumCharges(db, { accountId: 1, from: START, until: end }, 'day'));
    const archiving = { folder: join(folder, 'archive'), before: end };
    const [archiveMs, stopMs] = await timed(() => archiveLedger(db, archiving));
    const [nextDayMs] = await timed(() => archiveLedger(db, { ...archiving, before: archiving.before + DAY_MS }));
    refuse((await checkLedger(db)).faults);
    return { name, charges, rowBytes, archiveMs, stopMs, nextDayMs, checkMs, checkNewMs, figuresMs, usageMs };
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`The ledger has a fault: ${faults[0]}`);
}

/** Renders rows as lines of text; empty without rows. */
export function renderGrowth(rows: readonly GrowthRow[]): string {
  if (rows.length === 0) return '';
  const line = ({
    name,
    charges,
    rowBytes,
    archiveMs,
    stopMs,
    nextDayMs,
    checkMs,
    checkNewMs,
    figuresMs,
    usageMs,
  }: GrowthRow): string =>
    `  ${name}: ${Math.round(rowBytes)} bytes a row, archived ${Math.round((charges / archiveMs) * 1_000)} charges/s, longest stop ${Math.round(stopMs)} ms, next day ${Math.round(nextDayMs)} ms, ledger check ${Math.round(checkMs)} ms, of new rows ${Math.round(checkNewMs)} ms, operator's figures ${Math.round(figuresMs)} ms, usage by day ${Math.round(usageMs)} ms`;
  return ['Upkeep of the ledger on SQLite', ...rows.map(line), ''].join('\n');
}
