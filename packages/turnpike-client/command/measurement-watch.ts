import { setTimeout as sleep } from 'node:timers/promises';
import {
  keptAfter,
  keptHead,
  measurementWarnings,
  type MeasurementWarning,
  withoutGateway,
} from '@/lib/client/kept-measurements';
import { fetchMeasurementLog } from '@/lib/client/measurements';
import type { Attestation } from '@/lib/client/private-chat';
import type { LogHead, LogVerdict } from '@/lib/protocol/attestation/measurement-log';
import type { CommandIo } from './command';
import { keptFile, readKeptFile, writeKeptFile } from './kept-file';
import { printableLine } from './printable';

const LOG_MS = 10_000;
/** Maximum time to wait for the log when a conversation ends. */
const END_MS = 1_000;

interface Look {
  log: LogVerdict | null;
  warnings: readonly MeasurementWarning[];
  /** Reasons why the file could not be read. */
  faults: readonly string[];
  /** Stores the measurements. Returns like `writeKeptFile`. */
  keep: () => string | null;
}

interface Watched extends Pick<CommandIo, 'env' | 'signal'> {
  url: string;
}

/**
 * Compares log and enclave with the stored measurements. Rejects only if the command is cancelled.
 *
 * @param options `patience` ends the wait for the log
 */
export async function lookAtMeasurements(
  { url, env, signal }: Watched,
  { model, verdict }: Pick<Attestation, 'model' | 'verdict'>,
  { trustsLog = false, patience = AbortSignal.timeout(LOG_MS) } = {},
): Promise<Look> {
  const file = keptFile(env);
  const origin = new URL(url).href.replace(/\/+$/, '');
  const read = () => {
    const { kept, fault } = file === null ? { kept: [], fault: null } : readKeptFile(file);
    return { kept: trustsLog ? withoutGateway(kept, origin) : kept, fault };
  };
  const { kept, fault } = read();
  const within = AbortSignal.any([signal, patience]);
  const known = keptHead(kept, origin);
  const log = await fetchMeasurementLog({ baseUrl: url }, { signal: within, known, model }).catch(() => null);
  signal.throwIfAborted();
  const look = { origin, model, verdict, log };
  return {
    log,
    warnings: measurementWarnings(kept, look),
    faults: fault === null ? [] : [fault],
    keep: () => {
      // Another command may have written the file during the request.
      const latest = read().kept;
      const after = keptAfter(latest, look, { nowMs: Date.now(), acceptsChange: true });
      return file === null || after === latest ? null : writeKeptFile(file, after);
    },
  };
}

export class MeasurementWatch {
  readonly #over = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly #looks: Look[] = [];

  constructor(private readonly watched: Watched & Pick<CommandIo, 'err'>) {}

  attested(attestation: Attestation): void {
    const patience = AbortSignal.any([this.#over.signal, AbortSignal.timeout(LOG_MS)]);
    const look = lookAtMeasurements(this.watched, attestation, { patience }).then(
      (seen) => void this.#looks.push(seen),
      () => undefined,
    );
    this.#running = Promise.all([this.#running, look]).then(() => undefined);
  }

  /** Writes the warnings that were added since the last call. */
  tell(): void {
    tellLooks(this.#looks.splice(0), this.watched);
  }

  async end(): Promise<void> {
    await Promise.race([this.#running, sleep(END_MS, undefined, { ref: false })]);
    this.#over.abort();
    await this.#running;
    this.tell();
  }
}

/** Writes the warnings, and only then stores the measurements. */
export function tellLooks(looks: readonly Look[], { err }: Pick<CommandIo, 'err'>): void {
  const lines = looks.map(({ warnings, faults }) => [
    ...warnings.flatMap((warning) => ['', ...describeWarning(warning)]),
    ...faults,
  ]);
  err([...new Set(lines.map(printed))].join(''));
  err(printed(looks.flatMap(({ keep }) => keep() ?? [])));
}

function printed(lines: readonly string[]): string {
  return lines.map((line) => `${printableLine(line)}\n`).join('');
}

function describeWarning(warning: MeasurementWarning): string[] {
  if (warning.kind === 'broken') return [`WARNING: The gateway's log of measurements is not valid. ${warning.reason}`];
  if (warning.kind === 'unread')
    return ["WARNING: The gateway's log of measurements could not be read, so nothing in it was checked."];
  const since = new Date(warning.atMs).toISOString();
  if (warning.kind === 'fork')
    return [
      `WARNING: The gateway shows two histories of what it measured. ${warning.reason}`,
      `  kept   ${describeHead(warning.kept)}, read ${since}`,
      `  shown  ${warning.shown === null ? 'no entry' : describeHead(warning.shown)}`,
      '  The operator started a new log, or the gateway hides what it measured. Ask the operator.',
      '  turnpike-client verify MODEL --trust-log keeps the new log.',
    ];
  return [
    `WARNING: The enclave's measurements differ from those on ${since}. The first line of each pair is the earlier value.`,
    ...warning.changes.flatMap(({ role, name, before, now }) => [
      `  ${role} ${name}  ${before ?? '–'}`,
      `  ${role} ${name}  ${now ?? '–'}`,
    ]),
  ];
}

function describeHead({ seq, sha256, key }: LogHead): string {
  return `entry ${seq}, SHA-256 ${sha256}, key ${key}`;
}
