import { cpuSeconds } from './cpu-time';
import { rpcRequest, runLoad } from './load';
import { inTurn, type Plan, type Row } from './measurement';
import type { Program } from './programs';
import type { Workload } from './workloads';

const WARM_UP_SECONDS = 2;

/** Program under load. */
export interface Target {
  name: string;
  program: Program;
  /** Process of the target's database server. */
  databasePid: number | null;
  path: string;
  /** Header lines, used in rotation. */
  credentials: readonly string[];
}

/** Measures each target under each workload. Within a round, the targets take turns. */
export async function measureTargets(targets: readonly Target[], plan: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workload of plan.workloads) {
    const loads = targets.map((target) => ({ target, requests: requestsOf(target, workload) }));
    for (const { target, requests } of loads)
      await runLoad({ port: target.program.port, connections: 16, seconds: WARM_UP_SECONDS, requests });
    for (const connections of workload.connections ?? plan.connections) {
      const samples = loads.map((load) => ({ ...load, rows: [] as Row[] }));
      for (let round = 1; round <= plan.rounds; round++) {
        for (const { target, requests, rows: taken } of inTurn(samples, round)) {
          progress(`${workload.name}, ${connections} connections, round ${round} of ${plan.rounds}, ${target.name}`);
          taken.push({
            workload: workload.name,
            ...(await sample(target, requests, { connections, seconds: plan.seconds })),
          });
        }
      }
      for (const { rows: taken } of samples) rows.push(medianOf(taken));
    }
  }
  progress('');
  return rows;
}

function requestsOf({ path, credentials }: Target, { body }: Workload): Buffer[] {
  return credentials.map((credential, index) => rpcRequest({ path, body: body(index), credential }));
}

async function sample(
  { name, program, databasePid }: Target,
  requests: readonly Buffer[],
  { connections, seconds }: { connections: number; seconds: number },
) {
  const used = (pid: number | null): number | null => (pid === null ? null : cpuSeconds(pid));
  const before = [used(program.pid), used(databasePid)] as const;
  const { seconds: _seconds, ...result } = await runLoad({ port: program.port, connections, seconds, requests });
  const perRequest = (from: number | null, to: number | null): number | null =>
    from === null || to === null ? null : ((to - from) * 1e6) / result.requests;
  return {
    target: name,
    connections,
    ...result,
    cpuMicros: perRequest(before[0], used(program.pid)),
    databaseCpuMicros: perRequest(before[1], used(databasePid)),
  };
}

function medianOf(rows: readonly Row[]): Row {
  const median = (pick: (row: Row) => number): number => {
    const sorted = rows.map(pick).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] as number;
  };
  const first = rows[0] as Row;
  return {
    workload: first.workload,
    target: first.target,
    connections: first.connections,
    requests: median((row) => row.requests),
    refused: Math.max(...rows.map((row) => row.refused)),
    requestsPerSecond: median((row) => row.requestsPerSecond),
    p50Ms: median((row) => row.p50Ms),
    p99Ms: median((row) => row.p99Ms),
    p999Ms: median((row) => row.p999Ms),
    cpuMicros: first.cpuMicros === null ? null : median((row) => row.cpuMicros ?? 0),
    databaseCpuMicros: first.databaseCpuMicros === null ? null : median((row) => row.databaseCpuMicros ?? 0),
  };
}

/** Shows what is being measured; an empty text clears the line. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}
