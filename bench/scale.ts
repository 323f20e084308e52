import { TestPostgres } from '@/test/test-postgres';
import { cpuSeconds } from './cpu-time';
import { rpcRequest, runLoad } from './load';
import { inTurn } from './measurement';
import { type GatewayOptions, type Program, startGateway, startRole } from './programs';
import { type ScaleRow, type ScaleSample, scaleRow, together } from './scale-figures';
import { READS } from './workloads';

export const SCALE = 'scale';

const PROCESSES = [1, 2, 3, 4];
const WORKERS = [1, 2];
/** Number of connections. It is divisible by every number of processes. */
const CONNECTIONS = 48;
/** Maximum number of database connections. All gateways run at the same time, with up to 15 connections each. */
const POSTGRES_CONNECTIONS_MAX = 160;
/** Duration of the warm-up, long enough for all workers to start and serve. */
const WARM_UP_SECONDS = 4;

type Track = <T extends Pick<Program, 'stop'>>(program: T) => T;

interface SetUp {
  name: string;
  programs: readonly Program[];
  samples: ScaleSample[];
}

/**
 * Measures reads of one to four gateway processes on one Postgres, and of the multi-core entry with one and two
 * workers. All set-ups run from the beginning and take turns in each round. The load generator, the upstream and the
 * database share the processors with them.
 */
export async function measureScale(
  { rounds, seconds }: { rounds: number; seconds: number },
  callers: number,
  track: Track,
  progress: (text: string) => void,
): Promise<ScaleRow[]> {
  progress(`starting ${SCALE}`);
  const server = await TestPostgres.start({ durable: true, connectionsMax: POSTGRES_CONNECTIONS_MAX });
  track({ stop: () => server.remove() });
  const stub = track(await startRole('stub'));
  const shared = {
    upstreamUrl: `http://127.0.0.1:${stub.port}`,
    databaseUrl: await server.createDatabase(),
    wallets: 0,
  };
  const start = async (options: Pick<GatewayOptions, 'entry' | 'callers' | 'config'>) =>
    track(await startGateway({ ...shared, ...options }));
  const first = await start({ entry: 'fast', callers });
  const setUps = await startSetUps(first, start);
  const requests = first.keys.map((key, index) =>
    rpcRequest({
      path: '/api/v1/crypto/rpc/ethereum-mainnet',
      body: READS.body(index),
      credential: `Authorization: Bearer ${key}`,
    }),
  );
  for (const setUp of setUps) await load(setUp, WARM_UP_SECONDS, requests);
  for (let round = 1; round <= rounds; round++) {
    for (const setUp of inTurn(setUps, round)) {
      progress(`${SCALE}, round ${round} of ${rounds}, ${setUp.name}`);
      setUp.samples.push(await sample(setUp, { seconds, requests, databasePid: server.pid }));
    }
  }
  progress('');
  const reference = setUps[0]?.samples ?? [];
  return setUps.map(({ name, samples }) => scaleRow(name, samples, reference));
}

/**
 * Starts gateway processes on their own ports, then workers behind one port. A set-up uses one or more of the
 * processes, or the workers. The first set-up is one process.
 */
async function startSetUps(
  first: Program,
  start: (options: Pick<GatewayOptions, 'entry' | 'callers' | 'config'>) => Promise<Program>,
): Promise<SetUp[]> {
  const processes = [first];
  while (processes.length < Math.max(...PROCESSES)) processes.push(await start({ entry: 'fast', callers: 0 }));
  const ofProcesses = PROCESSES.map((count) => ({
    name: count === 1 ? '1 process' : `${count} processes`,
    programs: processes.slice(0, count),
    samples: [],
  }));
  const ofWorkers: SetUp[] = [];
  for (const workers of WORKERS)
    ofWorkers.push({
      name: workers === 1 ? '1 worker' : `${workers} workers`,
      programs: [await start({ entry: 'workers', callers: 0, config: { workers } })],
      samples: [],
    });
  return [...ofProcesses, ...ofWorkers];
}

async function sample(
  setUp: SetUp,
  { seconds, requests, databasePid }: { seconds: number; requests: readonly Buffer[]; databasePid: number | null },
): Promise<ScaleSample> {
  const used = () => ({
    gateways: sumOf(setUp.programs.map(({ pid }) => cpuSeconds(pid))),
    database: databasePid === null ? null : cpuSeconds(databasePid),
  });
  const before = used();
  const result = await load(setUp, seconds, requests);
  const after = used();
  return {
    ...result,
    cpuSeconds: difference(before.gateways, after.gateways),
    databaseCpuSeconds: difference(before.database, after.database),
  };
}

/**
 * Loads all programs, each with the same number of connections. Each program starts with different callers, as behind a
 * load balancer.
 */
async function load({ programs }: SetUp, seconds: number, requests: readonly Buffer[]) {
  const loads = programs.map(({ port }, index) => {
    const from = Math.floor((requests.length * index) / programs.length);
    return runLoad({
      port,
      connections: CONNECTIONS / programs.length,
      seconds,
      requests: [...requests.slice(from), ...requests.slice(0, from)],
    });
  });
  return together(await Promise.all(loads));
}

function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

function difference(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : after - before;
}
