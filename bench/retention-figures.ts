import type { Percentiles } from './open-loop';

/**
 * Figures of one minute. Each pair has the value of the gateway that archives, then that of the gateway that does not.
 */
export interface RetentionMinute {
  minute: number;
  archiving: Percentiles;
  without: Percentiles;
  ratio: number;
  rows: [number, number];
  archived: number;
  archivedPerSecond: number;
  addedPerSecond: number;
  dueRows: number;
  behindMs: number;
  databaseBytes: [number, number];
  rssBytes: [number, number];
  /** Processor time used, as a share of one processor. */
  cpuShare: [number, number];
}

export interface RetentionResult {
  minutes: readonly RetentionMinute[];
  whole: RetentionMinute;
  due: number;
  late: Percentiles;
  archiveBytes: number;
  checks: readonly { name: string; printed: string; seconds: number }[];
}

const RATIO_MAX = 1.5;
const HOUR_MS = 3_600_000;

export function minuteLine(minute: RetentionMinute): string {
  return `minute ${minute.minute}: ${rendered(minute)}`;
}

export function renderRetention(result: RetentionResult | null): string {
  if (result === null) return '';
  const { minutes, whole, due, late, archiveBytes, checks } = result;
  const ratios = minutes.map(({ ratio }) => ratio).toSorted((one, other) => one - other);
  const verdict = (holds: boolean): string => (holds ? 'holds' : 'DOES NOT HOLD');
  return [
    `Retention behind 1,000 calls a second, ${minutes.length} minutes`,
    ...minutes.map(minuteLine),
    `whole: ${rendered(whole)}`,
    `p99 ${whole.ratio.toFixed(2)} times of that without, at most ${RATIO_MAX}: ${verdict(whole.ratio <= RATIO_MAX)}. By minute: median ${(ratios[Math.floor(ratios.length / 2)] ?? 0).toFixed(2)}, worst ${(ratios.at(-1) ?? 0).toFixed(2)}`,
    `archived ${(whole.archivedPerSecond / whole.addedPerSecond).toFixed(1)} times the rows that came in: ${verdict(whole.archivedPerSecond >= whole.addedPerSecond)}. ${due} were due at the start, ${whole.dueRows} at the end`,
    `calls were sent late by p50 ${late.p50Ms.toFixed(2)}, p99 ${late.p99Ms.toFixed(2)}, p99.9 ${late.p999Ms.toFixed(2)} ms; archives ${gigabytes(archiveBytes)} GB`,
    ...checks.map(({ name, printed, seconds }) => `ledger check, ${name}: ${printed} (${seconds.toFixed(0)} s)`),
    '',
  ].join('\n');
}

function rendered(minute: RetentionMinute): string {
  const { archiving, without, ratio, rows, archived, archivedPerSecond, addedPerSecond } = minute;
  const { dueRows, behindMs, databaseBytes, rssBytes, cpuShare } = minute;
  const both = (pair: readonly [number, number], show: (value: number) => string): string => pair.map(show).join(' / ');
  const of = (pick: (from: Percentiles) => number): [number, number] => [pick(archiving), pick(without)];
  const ms = (value: number): string => value.toFixed(2);
  return [
    `calls ${both(
      of(({ calls }) => calls),
      String,
    )}, not 200 ${both(
      of(({ failed }) => failed),
      String,
    )}`,
    `p50 ${both(
      of(({ p50Ms }) => p50Ms),
      ms,
    )} ms`,
    `p99 ${both(
      of(({ p99Ms }) => p99Ms),
      ms,
    )} ms (× ${ratio.toFixed(2)})`,
    `p99.9 ${both(
      of(({ p999Ms }) => p999Ms),
      ms,
    )} ms (× ${(archiving.p999Ms / without.p999Ms).toFixed(2)})`,
    `worst ${both(
      of(({ maxMs }) => maxMs),
      (value) => value.toFixed(0),
    )} ms`,
    `rows ${both(rows, String)}, archived ${archived} (${archivedPerSecond.toFixed(0)}/s, ${addedPerSecond.toFixed(0)}/s come in), ${dueRows} due, oldest since ${(behindMs / HOUR_MS).toFixed(1)} h`,
    `database ${both(databaseBytes, gigabytes)} GB, memory ${both(rssBytes, (bytes) => (bytes / 1_048_576).toFixed(0))} MiB, processor ${both(cpuShare, (share) => `${(share * 100).toFixed(0)} %`)}`,
  ].join('; ');
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(2);
}
