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
  /** Reasons why the file of stored measurements could not be read or written. */
  faults: readonly string[];
}

interface Watched extends Pick<CommandIo, 'env' | 'signal'> {
  url: string;
}

/**
 * Compares the gateway's log and the enclave with the stored measurements, and stores new measurements. Rejects only if
 * the command is cancelled.
 */
export async function lookAtMeasurements(
  { url, env, signal }: Watched,
  { model, verdict }: Pick<Attestation, 'model' | 'verdict'>,
  trustsLog = false,
): Promise<Look> {
  const file = keptFile(env);
  const origin = new URL(url).href.replace(/\/+$/, '');
  const read = () => {
    const { kept, fault } = file === null ? { kept: [], fault: null } : readKeptFile(file);
    return { kept: trustsLog ? withoutGateway(kept, origin) : kept, fault };
  };
  const { kept, fault } = read();
  const faults = fault === null ? [] : [fault];
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(LOG_MS)]);
    const known = keptHead(kept, origin);
    const log = await fetchMeasurementLog({ baseUrl: url }, { signal: within, known, model });
    const look = { origin, model, verdict, log };
    // Another command may have written the file during the request.
    const latest = read().kept;
    const after = keptAfter(latest, look, { nowMs: Date.now(), acceptsChange: true });
    const unwritten = file === null || after === latest ? null : writeKeptFile(file, after);
    if (unwritten !== null) faults.push(unwritten);
    return { log, warnings: measurementWarnings(kept, look), faults };
  } catch {
    signal.throwIfAborted();
    return { log: null, warnings: [], faults };
  }
}

export class MeasurementWatch {
  readonly #over = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #text = '';

  constructor(private readonly watched: Watched) {}

  attested(attestation: Attestation): void {
    const signal = AbortSignal.any([this.watched.signal, this.#over.signal]);
    const look = lookAtMeasurements({ ...this.watched, signal }, attestation).then(
      (seen) => void (this.#text += describeLook(seen)),
      () => undefined,
    );
    this.#running = Promise.all([this.#running, look]).then(() => undefined);
  }

  /** Returns the warnings that were added since the last call. */
  heard(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  async end(): Promise<string> {
    await Promise.race([this.#running, sleep(END_MS, undefined, { ref: false })]);
    this.#over.abort();
    return this.heard();
  }
}

export function describeLook({ warnings, faults }: Pick<Look, 'warnings' | 'faults'>): string {
  const lines = [...warnings.flatMap((warning) => ['', ...describeWarning(warning)]), ...faults];
  return lines.map((line) => `${printableLine(line)}\n`).join('');
}

function describeWarning(warning: MeasurementWarning): string[] {
  if (warning.kind === 'broken') return [`WARNING: The gateway's log of measurements is not valid. ${warning.reason}`];
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
