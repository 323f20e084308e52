'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import {
  keptAfter,
  keptHead,
  type KeptMeasurement,
  measurementWarnings,
  type MeasurementWarning,
  readKept,
  withoutGateway,
} from '@/lib/client/kept-measurements';
import { fetchMeasurementLog } from '@/lib/client/measurements';
import type { Attestation } from '@/lib/client/private-chat';
import {
  type LogVerdict,
  measuredBy,
  measurementDigest,
  type MeasurementEntry,
} from '@/lib/protocol/attestation/measurement-log';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';

/** Wait before the log is read again. The gateway may send a report before it logs it. */
const AGAIN_MS = 2_000;
const LATE_MS = 15_000;

const kept = createStoredValue<readonly KeptMeasurement[]>({
  key: 'turnpike.measurements',
  initial: [],
  parse: readKept,
});

async function readLog({ model, verdict }: Attestation, signal: AbortSignal): Promise<LogVerdict> {
  const origin = window.location.origin;
  const log = await fetchMeasurementLog(gatewayOptions(), { signal, model, known: keptHead(kept.get(), origin) });
  const before = kept.get();
  const look = { origin, model, verdict, log };
  const after = keptAfter(before, look, { nowMs: verdict.checkedAtMs, acceptsChange: false });
  if (JSON.stringify(after) !== JSON.stringify(before)) kept.set(after);
  return log;
}

function useLog(attestation: Attestation) {
  const { model, verdict } = attestation;
  return useRead({
    key: ['measurement-log', model, verdict.checkedAtMs],
    read: (signal) => readLog(attestation, signal),
    staleMs: Infinity,
    everyMs: ({ data }) =>
      data !== undefined &&
      measuredNote(data, model, verdict)?.kind === 'unlisted' &&
      Date.now() - verdict.checkedAtMs < LATE_MS
        ? AGAIN_MS
        : null,
  });
}

/** Returns what the log contains about an attestation; undefined until it is read. */
export function useMeasuredSince(attestation: Attestation): MeasuredNote | null | undefined {
  const { data, isError } = useLog(attestation);
  if (data === undefined) return isError ? null : undefined;
  return measuredNote(data, attestation.model, attestation.verdict);
}

interface MeasurementWarnings {
  warnings: readonly MeasurementWarning[];
  accept: () => void;
  trustLog: () => void;
}

/** Returns warnings of a faulty log and of contradictions to what earlier visits stored. */
export function useMeasurementWarnings(attestation: Attestation): MeasurementWarnings {
  const { model, verdict } = attestation;
  const { data, isError, refetch } = useLog(attestation);
  const before = useStoredValue(kept);
  const origin = window.location.origin;
  const look = { origin, model, verdict, log: data ?? (isError ? null : undefined) };
  return {
    warnings: measurementWarnings(before, look),
    accept: () => kept.set(keptAfter(kept.get(), look, { nowMs: Date.now(), acceptsChange: true })),
    trustLog: () => {
      kept.set(withoutGateway(kept.get(), origin));
      void refetch();
    },
  };
}

type MeasuredNote =
  /** `before` describes the previous measurement; null if there was none. */
  | { kind: 'since'; sinceMs: number; before: { sinceMs: number; changed: readonly string[] } | null }
  | { kind: 'unlisted' }
  | { kind: 'broken'; reason: string };

/** Returns what a log contains about a verdict's measurements; null without measurements. */
export function measuredNote(
  log: LogVerdict,
  model: string,
  verdict: Pick<ServedVerdict, 'conclusion' | 'enclaves'>,
): MeasuredNote | null {
  const measured = measuredBy(model, verdict);
  if (measured.length === 0) return null;
  if (log.fault !== null) return { kind: 'broken', reason: log.reason };
  const listed = new Map(log.entries.map((entry) => [measurementDigest(entry), entry]));
  const found = measured.flatMap((each) => listed.get(measurementDigest(each)) ?? []);
  const [newest] = found.toSorted((a, b) => b.seq - a.seq);
  if (newest === undefined || found.length < measured.length) return { kind: 'unlisted' };
  return { kind: 'since', sinceMs: newest.at * 1_000, before: replacedBy(newest, log.entries) };
}

function replacedBy(entry: MeasurementEntry, entries: readonly MeasurementEntry[]) {
  if (entry.changed.length === 0) return null;
  const before = entries.findLast(
    ({ seq, model, role }) => seq < entry.seq && model === entry.model && role === entry.role,
  );
  return before === undefined ? null : { sinceMs: before.at * 1_000, changed: entry.changed };
}
