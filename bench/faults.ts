import { freePort } from '@/attack/stage/child-process';
import { rpcRequest, runLoad } from './load';
import { type Program, startGateway, startRole, UNLIMITED } from './programs';
import { READS } from './workloads';

/** Fault of one of two upstreams, and the latency that reads may still have despite the fault. */
interface Fault {
  name: string;
  description: string;
  /** Returns the allowed 99th percentile in milliseconds. `healthyMs` is the 99th percentile without the fault. */
  allowedMs: (healthyMs: number) => number;
  rule: string;
  /** Starts the faulty upstream. @returns its URL */
  start: (track: Track) => Promise<string>;
}

/** Latencies of reads with and without the fault, as medians over the rounds. */
export interface FaultRow {
  fault: string;
  rule: string;
  healthyP99Ms: number;
  p99Ms: number;
  allowedMs: number;
  refused: number;
}

type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

const SLOW_MS = 2_000;
/**
 * Minimum hedge delay in the configuration. The gateway uses this minimum, because the healthy upstream answers faster.
 */
const HEDGE_DELAY_MS = 25;
const CONNECTIONS = 16;
const CALLERS = 400;
const WARM_UP_SECONDS = 3;

export const FAULTS: readonly Fault[] = [
  {
    name: 'dead-upstream',
    description: 'one of two upstreams refuses connections',
    allowedMs: (healthyMs) => 1.5 * healthyMs,
    rule: '1.5 × healthy',
    start: async () => `http://127.0.0.1:${await freePort()}`,
  },
  {
    name: 'slow-upstream',
    description: `one of two upstreams takes ${SLOW_MS / 1000} s`,
    allowedMs: () => 1.3 * HEDGE_DELAY_MS + 50,
    rule: `1.3 × the hedge delay of ${HEDGE_DELAY_MS} ms + 50 ms`,
    start: async (track) => urlOf(track(await startRole('stub', String(SLOW_MS)))),
  },
];

/** Measures each fault in rounds with the fault, which alternate with rounds without it. */
export async function measureFaults(
  faults: readonly Fault[],
  { rounds, seconds }: { rounds: number; seconds: number },
  track: Track,
  progress: (text: string) => void,
): Promise<FaultRow[]> {
  const rows: FaultRow[] = [];
  for (const fault of faults) {
    progress(`starting ${fault.name}`);
    const sound = [urlOf(track(await startRole('stub'))), urlOf(track(await startRole('stub')))] as const;
    const healthy = await start([sound[0], sound[1]], track);
    const faulty = await start([await fault.start(track), sound[0]], track);
    for (const target of [healthy, faulty]) await load(target, WARM_UP_SECONDS);
    const results: { healthy: Load[]; faulty: Load[] } = { healthy: [], faulty: [] };
    for (let round = 1; round <= rounds; round++) {
      progress(`${fault.name}, round ${round} of ${rounds}`);
      results.healthy.push(await load(healthy, seconds));
      results.faulty.push(await load(faulty, seconds));
    }
    const healthyP99Ms = medianP99(results.healthy);
    const refused = Math.max(...results.faulty.map((result) => result.refused));
    rows.push({
      fault: fault.name,
      rule: fault.rule,
      healthyP99Ms,
      p99Ms: medianP99(results.faulty),
      allowedMs: fault.allowedMs(healthyP99Ms),
      refused,
    });
  }
  progress('');
  return rows;
}

type Load = Awaited<ReturnType<typeof runLoad>>;

interface Target {
  port: number;
  requests: Buffer[];
}

async function start(upstreams: readonly string[], track: Track): Promise<Target> {
  const { port, keys } = track(
    await startGateway({
      upstreamUrl: upstreams.join(','),
      entry: 'fast',
      callers: CALLERS,
      wallets: 0,
      config: { limits: UNLIMITED },
    }),
  );
  const requests = keys.map((key, index) =>
    rpcRequest({
      path: '/api/v1/crypto/rpc/ethereum-mainnet',
      body: READS.body(index),
      credential: `Authorization: Bearer ${key}`,
    }),
  );
  return { port, requests };
}

function load({ port, requests }: Target, seconds: number): Promise<Load> {
  return runLoad({ port, connections: CONNECTIONS, seconds, requests });
}

function urlOf({ port }: Program): string {
  return `http://127.0.0.1:${port}`;
}

function medianP99(results: readonly Load[]): number {
  const sorted = results.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
