import type { FaultRow } from './faults';
import type { Plan, Row } from './measurement';

/** Columns of words. */
const LEFT_ALIGNED = new Set([0, 2]);

/** The measurements as a table, with ratios against the bare proxy at the same number of connections. */
export function render(rows: readonly Row[], machine: { cpus: number; model: string; node: string }, plan: Plan): string {
  const header = ['workload', 'connections', 'target', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/req', 'database', '× throughput', '× CPU', 'not 200'];
  const lines = rows.map((row) => {
    const bare = rows.find((other) => other.target === 'bare' && other.workload === row.workload && other.connections === row.connections);
    return [
      row.workload,
      String(row.connections),
      row.target,
      row.requestsPerSecond.toFixed(0),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
      row.cpuMicros === null ? 'n/a' : row.cpuMicros.toFixed(0),
      row.databaseCpuMicros === null ? '' : row.databaseCpuMicros.toFixed(0),
      bare ? (row.requestsPerSecond / bare.requestsPerSecond).toFixed(2) : '',
      bare?.cpuMicros && row.cpuMicros !== null ? (row.cpuMicros / bare.cpuMicros).toFixed(2) : '',
      String(row.refused),
    ];
  });
  const widths = header.map((title, column) => Math.max(title.length, ...lines.map((line) => (line[column] as string).length)));
  const align = (line: string[]): string => line.map((cell, column) => (LEFT_ALIGNED.has(column) ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number))).join('  ');
  const setting = `${machine.cpus} × ${machine.model}, Node ${machine.node}; medians of ${plan.rounds} alternating rounds of ${plan.seconds} s`;
  return `${setting}\n\n${[header, ...lines].map(align).join('\n')}\n`;
}

/** What faults of one of two upstreams cost reads, a line each. */
export function renderFaults(rows: readonly FaultRow[]): string {
  return rows
    .map(({ fault, rule, healthyP99Ms, p99Ms, allowedMs, refused }) => {
      const verdict = p99Ms <= allowedMs ? 'within' : 'beyond';
      return `${fault}: p99 ${p99Ms.toFixed(2)} ms, ${healthyP99Ms.toFixed(2)} ms without the fault; ${verdict} ${rule} (${allowedMs.toFixed(2)} ms); ${refused} not 200\n`;
    })
    .join('');
}
