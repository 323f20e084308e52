'use client';

import type { Attestation } from '@/lib/client/private-chat';
import { fetchMeasurementLog } from '@/lib/client/measurements';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { type MeasuredNote, measuredNote } from './measured-since';

/** Delay of another read of a log that lacks the measurement. The gateway adds a new one after it has answered. */
const AGAIN_MS = 2_000;
/** Time after a verdict in which its measurement may still be missing from the log. */
const LATE_MS = 15_000;

/** Returns what the gateway's log says about an attestation. Undefined until it is read; null for nothing to say. */
export function useMeasuredSince({ model, verdict }: Attestation): MeasuredNote | null | undefined {
  const read = useRead({
    key: ['measurement-log', model, verdict.checkedAtMs],
    read: async (signal) => measuredNote(await fetchMeasurementLog(gatewayOptions(), { signal }), model, verdict),
    staleMs: Infinity,
    everyMs: ({ data }) => (data?.kind === 'unlisted' && Date.now() - verdict.checkedAtMs < LATE_MS ? AGAIN_MS : null),
  });
  return read.isError && read.data === undefined ? null : read.data;
}
