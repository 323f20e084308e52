import {
  type LogHead,
  type LogVerdict,
  type Measured,
  measuredBy,
  measurementDigest,
} from '@/lib/protocol/attestation/measurement-log';
import type { ReportChange } from '@/lib/protocol/attestation/report-changes';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { checked, list, number, object, oneOf, record, type Schema } from './answer-schema';

const KEPT_MAX = 200;
const MEASURED_MAX = 16;
/** Head of an empty log, as before the gateway's first report. */
const NO_ENTRY: LogHead = { seq: 0, sha256: '', key: '' };

/** A model's accepted measurements, and the last valid log head. */
export interface KeptMeasurement extends LogHead {
  origin: string;
  model: string;
  atMs: number;
  measured: readonly Measured[];
}

export type MeasurementWarning =
  | { kind: 'fork'; reason: string; atMs: number; kept: LogHead; shown: LogHead | null }
  | { kind: 'broken'; reason: string }
  | { kind: 'unread' }
  | { kind: 'changed'; atMs: number; changes: readonly ReportChange[] };

const short: Schema<string> = checked(
  'a short text',
  (value): value is string => typeof value === 'string' && value.length <= 500,
);

const moment: Schema<number> = checked(
  'a time',
  (value): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15,
);

const keptList = list(
  object({
    origin: short,
    model: short,
    seq: number,
    sha256: short,
    key: short,
    atMs: moment,
    measured: list(
      object({
        model: short,
        role: oneOf(['model', 'router', 'gateway']),
        hardware: oneOf(['intel-tdx', 'amd-sev-snp', 'unknown']),
        registers: record(short),
      }),
    ),
  }),
);

export function readKept(stored: unknown): readonly KeptMeasurement[] | null {
  try {
    return bounded(keptList(stored, ''));
  } catch {
    return null;
  }
}

/** Returns the head that a gateway's next log must continue. */
export function keptHead(kept: readonly KeptMeasurement[], origin: string): KeptMeasurement | null {
  const [newest] = kept.filter((each) => each.origin === origin).sort((one, other) => other.seq - one.seq);
  return newest ?? null;
}

/**
 * Returns what contradicts the kept measurements. The first log of a gateway and the first measurements of a model are
 * trusted.
 */
export function measurementWarnings(
  kept: readonly KeptMeasurement[],
  { origin, model, verdict, log }: Look,
): readonly MeasurementWarning[] {
  const before = kept.find((each) => each.origin === origin && each.model === model);
  const changes = changesOf(before?.measured ?? [], measuredBy(model, verdict));
  return [
    ...logWarnings(keptHead(kept, origin), log),
    ...(before === undefined || changes.length === 0 ? [] : [{ kind: 'changed' as const, atMs: before.atMs, changes }]),
  ];
}

function logWarnings(known: KeptMeasurement | null, log: Look['log']): MeasurementWarning[] {
  if (log?.fault === 'broken') return [{ kind: 'broken', reason: log.reason }];
  if (known === null) return [];
  if (log === null) return [{ kind: 'unread' }];
  if (log?.fault !== 'fork') return [];
  const { seq, sha256, key, atMs } = known;
  return [{ kind: 'fork', reason: log.reason, atMs, kept: { seq, sha256, key }, shown: log.head }];
}

interface Look {
  origin: string;
  model: string;
  verdict: Pick<ServedVerdict, 'conclusion' | 'enclaves'>;
  /** Null if it cannot be read; undefined before. */
  log: LogVerdict | null | undefined;
}

/** @param options `acceptsChange: false` keeps the earlier measurements until a person accepts the change */
export function keptAfter(
  kept: readonly KeptMeasurement[],
  { origin, model, verdict, log }: Look,
  { nowMs, acceptsChange }: { nowMs: number; acceptsChange: boolean },
): readonly KeptMeasurement[] {
  const measured = measuredBy(model, verdict).slice(0, MEASURED_MAX);
  if (measured.length === 0) return kept;
  const before = kept.find((each) => each.origin === origin && each.model === model);
  const isChanged = before !== undefined && changesOf(before.measured, measured).length > 0;
  const isRead = log?.fault === null;
  if (!isRead && !(isChanged && acceptsChange)) return kept;
  const head = isRead ? (log.head ?? NO_ENTRY) : {};
  const now =
    isChanged && !acceptsChange
      ? { ...before, ...head }
      : { ...(before ?? NO_ENTRY), origin, model, ...head, atMs: nowMs, measured };
  return bounded([now, ...kept.filter((each) => each !== before)]);
}

/** Forgets a gateway, so that its next log is trusted. */
export function withoutGateway(kept: readonly KeptMeasurement[], origin: string): readonly KeptMeasurement[] {
  return kept.filter((each) => each.origin !== origin);
}

function bounded(kept: readonly KeptMeasurement[]): readonly KeptMeasurement[] {
  return kept.slice(0, KEPT_MAX);
}

/** Ignores instances whose measurements are already known. */
function changesOf(before: readonly Measured[], now: readonly Measured[]): ReportChange[] {
  if (before.length === 0) return [];
  const known = new Set(before.map(measurementDigest));
  return now
    .filter((each) => !known.has(measurementDigest(each)))
    .flatMap((each): ReportChange[] => {
      const { role, registers } = each;
      const earlier = before.find((other) => other.role === role);
      if (earlier === undefined) return [{ role, what: 'enclave', name: role, before: null, now: role }];
      const names = new Set([...Object.keys(earlier.registers), ...Object.keys(registers)]);
      return [...names]
        .filter((name) => earlier.registers[name] !== registers[name])
        .map((name) => ({
          role,
          what: 'measurement',
          name,
          before: earlier.registers[name] ?? null,
          now: registers[name] ?? null,
        }));
    });
}
