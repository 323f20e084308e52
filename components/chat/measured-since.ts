'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useRead } from '@/lib/browser/reads/use-read';
import { fetchMeasurementLog } from '@/lib/client/measurements';
import type { Attestation } from '@/lib/client/private-chat';
import {
  type LogVerdict,
  measuredBy,
  measurementDigest,
  type MeasurementEntry,
} from '@/lib/protocol/attestation/measurement-log';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';

/**
 * Interval between reads while the log lacks the measurement. The gateway may send a report before it writes the log
 * entry.
 */
const AGAIN_MS = 2_000;
/** Time after a verdict during which the log may still lack the measurement. */
const LATE_MS = 15_000;

/**
 * Returns what the gateway's log says about an attestation. Undefined until the log is read; null if there is nothing
 * to show.
 */
export function useMeasuredSince({ model, verdict }: Attestation): MeasuredNote | null | undefined {
  const read = useRead({
    key: ['measurement-log', model, verdict.checkedAtMs],
    read: async (signal) => measuredNote(await fetchMeasurementLog(gatewayOptions(), { signal }), model, verdict),
    staleMs: Infinity,
    everyMs: ({ data }) => (data?.kind === 'unlisted' && Date.now() - verdict.checkedAtMs < LATE_MS ? AGAIN_MS : null),
  });
  return read.isError && read.data === undefined ? null : read.data;
}

type MeasuredNote =
  /** `before` describes the measurement that was valid earlier; null if there was none. */
  | { kind: 'since'; sinceMs: number; before: { sinceMs: number; changed: readonly string[] } | null }
  | { kind: 'unlisted' }
  | { kind: 'broken'; reason: string };

/** Returns what a log says about a verdict; null for a verdict that proves nothing. */
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
