import type { FaultRow } from './faults';
import type { Machine } from './machine';
import type { Plan, Row } from './measurement';

/** Columns that contain words. */
const LEFT_ALIGNED = new Set([0, 2]);

/** Targets with which the other targets are compared. */
const YARDSTICKS = ['bare', 'nginx'] as const;

/** Renders the measurements as a table, with ratios to the bare proxy and nginx at the same number of connections. */
export function render(rows: readonly Row[], machine: Machine, plan: Plan): string {
  const yardsticks = YARDSTICKS.filter((name) => rows.some(({ target }) => target === name));
  const ratioHeader = yardsticks.flatMap((name) => [`× requests of ${name}`, `× CPU of ${name}`, `× p99 of ${name}`]);
  const header = [
    'workload',
    'connections',
    'target',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'p99.9 ms',
    'CPU µs/req',
    'database',
    ...ratioHeader,
    'not 200',
  ];
  const lines = rows.map((row) => {
    const ratios = yardsticks.flatMap((name) =>
      ratiosTo(
        rows.find(
          (other) => other.target === name && other.workload === row.workload && other.connections === row.connections,
        ),
        row,
      ),
    );
    return [
      row.workload,
      String(row.connections),
      row.target,
      row.requestsPerSecond.toFixed(0),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
      row.p999Ms.toFixed(2),
      row.cpuMicros === null ? 'n/a' : row.cpuMicros.toFixed(0),
      row.databaseCpuMicros === null ? '' : row.databaseCpuMicros.toFixed(0),
      ...ratios,
      String(row.refused),
    ];
  });
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => (line[column] as string).length)),
  );
  const align = (line: string[]): string =>
    line
      .map((cell, column) =>
        LEFT_ALIGNED.has(column) ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ');
  const setting = `${machine.cpus} × ${machine.model}, Node ${machine.node}; medians of ${plan.rounds} alternating rounds of ${plan.seconds} s. A batch of 100 answers is parsed, written and hashed in ${machine.speedMicros.toFixed(0)} µs`;
  return `${setting}\n\n${[header, ...lines].map(align).join('\n')}\n`;
}

function ratiosTo(yardstick: Row | undefined, row: Row): string[] {
  const ratio = (pick: (of: Row) => number | null): string => {
    const [own, other] = [pick(row), yardstick ? pick(yardstick) : null];
    return own === null || !other ? '' : (own / other).toFixed(2);
  };
  return [
    ratio(({ requestsPerSecond }) => requestsPerSecond),
    ratio(({ cpuMicros }) => cpuMicros),
    ratio(({ p99Ms }) => p99Ms),
  ];
}

/** Renders how a fault of one of two upstreams affects reads, one line per fault. */
export function renderFaults(rows: readonly FaultRow[]): string {
  return rows
    .map(({ fault, rule, healthyP99Ms, p99Ms, allowedMs, refused }) => {
      const verdict = p99Ms <= allowedMs ? 'within' : 'beyond';
      return `${fault}: p99 ${p99Ms.toFixed(2)} ms, ${healthyP99Ms.toFixed(2)} ms without the fault; ${verdict} ${rule} (${allowedMs.toFixed(2)} ms); ${refused} not 200\n`;
    })
    .join('');
}
