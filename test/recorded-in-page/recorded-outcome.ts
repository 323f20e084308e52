import { pinsFor } from '@/lib/protocol/attestation/pins';
import { type Recording, verifyRecording } from '@/lib/protocol/attestation/testing/verify-recording';

type RecordedAnswers = Pick<Recording, 'manifest' | 'responses'>;

/** What must not depend on where a recording is verified. */
export interface RecordedOutcome {
  family: string | null;
  verdict: string;
  reason: string | null;
  enclaves: { role: string; verdict: string; checks: string[] }[];
  /** The verdict with pins that were taken from it, where a platform that is out of date is accepted. */
  pinned: string;
}

/** Verifies a recording for its own time, without pins and with its own. */
export async function recordedOutcome(recording: RecordedAnswers): Promise<RecordedOutcome> {
  const found = await verifyRecording(recording);
  const pinned = await verifyRecording(recording, {
    policy: { pinnedWorkloads: pinsFor(found), acceptedTcbStatuses: ['UpToDate', 'OutOfDate'] },
  });
  const enclaves = found.enclaves.map(({ role, verdict, checks }) => ({
    role,
    verdict,
    checks: checks.map(({ id, outcome }) => `${id} ${outcome}`),
  }));
  return { family: found.family, verdict: found.verdict, reason: found.reason, enclaves, pinned: pinned.verdict };
}

/** How long it takes to verify a recording once, and how many enclaves that were. */
export async function timeRecorded(recording: RecordedAnswers): Promise<{ tookMs: number; enclaves: number }> {
  const startedMs = performance.now();
  const { enclaves } = await verifyRecording(recording);
  return { tookMs: performance.now() - startedMs, enclaves: enclaves.length };
}
