import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archivedBefore } from '@/lib/server/billing/retention/archive-ledger';
import { DATABASE_FILE } from '@/lib/server/db/sqlite/open';
import { cpuSeconds } from './cpu-time';
import { rpcRequest } from './load';
import { pace, PacedCalls, type Percentiles } from './open-loop';
import { type GatewayProgram, startGateway, startRole, UNLIMITED } from './programs';
import { archiveBytes, fillBooks, flush, type LedgerState, readState } from './retention-books';
import { minuteLine, type RetentionMinute, type RetentionResult } from './retention-figures';
import { READS } from './workloads';

export const RETENTION = 'retention';

const DAY_MS = 86_400_000;
const LEDGER_DAYS = 8;
const CALLERS = 2_000;
const CALLS_PER_SECOND = 1_000;
const DUE_PER_SECOND = 5_500;
const WARM_UP_MS = 15_000;
const MINUTE_MS = 60_000;
const END_WITHIN_MS = 30_000;
const CHARGES_PER_DAY = 990;

interface Side {
  name: string;
  gateway: GatewayProgram;
  calls: PacedCalls;
}

type Track = <T extends { stop(): Promise<void> }>(program: T) => T;

/**
 * Measures calls of a gateway that archives all the time beside one that keeps all rows. Calls alternate between the
 * two gateways, so that other load on the machine affects both equally.
 */
export async function measureRetention(
  minutes: number,
  track: Track,
  progress: (text: string) => void,
): Promise<RetentionResult> {
  const days = Math.ceil((minutes * 60 * DUE_PER_SECOND) / (CALLERS * CHARGES_PER_DAY));
  const before = archivedBefore(LEDGER_DAYS, Date.now());
  const due = CALLERS * CHARGES_PER_DAY * days;
  progress(`${RETENTION}: writing ${due} charges of ${days} days`);
  const stub = track(await startRole('stub'));
  let keys: string[] = [];
  const copyFolder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  track({ stop: () => Promise.resolve(rmSync(copyFolder, { recursive: true, force: true })) });
  const copy = join(copyFolder, DATABASE_FILE);
  const start = async (ledgerDays: number | null, books: (dataDir: string) => Promise<void>): Promise<GatewayProgram> =>
    track(
      await startGateway({
        upstreamUrl: `http://127.0.0.1:${stub.port}`,
        entry: 'fast',
        callers: 0,
        wallets: 0,
        config: { limits: UNLIMITED, retention: { ledgerDays } },
        books,
      }),
    );
  const without = await start(null, async (dataDir) => {
    keys = await fillBooks(dataDir, {
      accounts: CALLERS,
      active: CALLERS,
      days,
      chargesPerDay: CHARGES_PER_DAY,
      payments: 0,
      videos: 0,
      start: before - days * DAY_MS,
    });
    progress(`${RETENTION}: copying the books`);
    await copyFile(join(dataDir, DATABASE_FILE), copy);
    flush(copy);
  });
  const archiving = await start(LEDGER_DAYS, (dataDir) => rename(copy, join(dataDir, DATABASE_FILE)));
  const requests = keys.map((key, index) =>
    rpcRequest({
      path: '/api/v1/crypto/rpc/ethereum-mainnet',
      body: READS.body(index),
      credential: `Authorization: Bearer ${key}`,
    }),
  );
  const sides = [
    { name: 'archiving', gateway: archiving },
    { name: 'without', gateway: without },
  ].map(({ name, gateway }): Side => ({ name, gateway, calls: new PacedCalls(gateway.port, requests) }));
  return run(sides as [Side, Side], { minutes, before, due }, progress);
}

async function run(
  sides: readonly [Side, Side],
  { minutes, before, due }: { minutes: number; before: number; due: number },
  progress: (text: string) => void,
): Promise<RetentionResult> {
  const told: RetentionMinute[] = [];
  let isOver = false;
  const pacing = pace(
    sides.map(({ calls }) => calls),
    { perSecond: CALLS_PER_SECOND, isOver: () => isOver },
  );
  await sleep(WARM_UP_MS);
  for (const { calls } of sides) calls.forget();
  const startedMs = performance.now();
  const first = await look(sides);
  let last = first;
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(startedMs + minute * MINUTE_MS - performance.now());
    const [archiving, without] = [sides[0].calls.takeMinute(), sides[1].calls.takeMinute()];
    const now = await look(sides);
    const line = figures({ minute, archiving, without }, { last, now, before, due });
    told.push(line);
    progress(minuteLine(line));
    last = now;
  }
  isOver = true;
  const late = await pacing;
  const endMs = performance.now() + END_WITHIN_MS;
  while (sides.some(({ calls }) => calls.open > 0) && performance.now() < endMs) await sleep(100);
  const [archiving, without] = [sides[0].calls.end(), sides[1].calls.end()];
  const whole = figures({ minute: minutes, archiving, without }, { last: first, now: last, before, due });
  for (const { gateway } of sides) await gateway.end();
  progress(`${RETENTION}: checking both ledgers`);
  const checks = await Promise.all(
    sides.map(async ({ name, gateway }) => {
      const checkedMs = performance.now();
      const printed = await gateway.admin('ledger', 'check');
      return { name, printed: printed.trim(), seconds: (performance.now() - checkedMs) / 1000 };
    }),
  );
  return { minutes: told, whole, due, late, archiveBytes: archiveBytes(sides[0].gateway.dataDir), checks };
}

interface Look {
  atMs: number;
  sides: readonly { state: LedgerState; rssBytes: number; cpuSeconds: number }[];
}

async function look(sides: readonly Side[]): Promise<Look> {
  const looked: Look['sides'][number][] = [];
  for (const { gateway } of sides) {
    const status = await readFile(`/proc/${gateway.pid}/status`, 'latin1');
    looked.push({
      state: readState(gateway.dataDir),
      rssBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
      cpuSeconds: cpuSeconds(gateway.pid) ?? Number.NaN,
    });
  }
  return { atMs: performance.now(), sides: looked };
}

function figures(
  calls: { minute: number; archiving: Percentiles; without: Percentiles },
  { last, now, before, due }: { last: Look; now: Look; before: number; due: number },
): RetentionMinute {
  const seconds = (now.atMs - last.atMs) / 1000;
  const [archiving, without] = now.sides as [Look['sides'][number], Look['sides'][number]];
  const [wasArchiving, wasWithout] = last.sides as [Look['sides'][number], Look['sides'][number]];
  const { oldestAt } = archiving.state;
  return {
    ...calls,
    ratio: calls.archiving.p99Ms / calls.without.p99Ms,
    rows: [archiving.state.rows, without.state.rows],
    archived: archiving.state.archived,
    archivedPerSecond: (archiving.state.archived - wasArchiving.state.archived) / seconds,
    addedPerSecond: (without.state.rows - wasWithout.state.rows) / seconds,
    dueRows: due - archiving.state.archived,
    behindMs: oldestAt === null ? 0 : Math.max(0, before - oldestAt),
    databaseBytes: [archiving.state.databaseBytes, without.state.databaseBytes],
    rssBytes: [archiving.rssBytes, without.rssBytes],
    cpuShare: [
      (archiving.cpuSeconds - wasArchiving.cpuSeconds) / seconds,
      (without.cpuSeconds - wasWithout.cpuSeconds) / seconds,
    ],
  };
}
