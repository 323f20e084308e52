import { pinsFor } from '@/lib/protocol/attestation/pins';
import { type Recording, verifyRecording } from '@/lib/protocol/attestation/testing/verify-recording';

type RecordedAnswers = Pick<Recording, 'manifest' | 'responses'>;

/** Result that must be the same wherever a recording is verified. */
export interface RecordedOutcome {
  family: string | null;
  verdict: string;
  reason: string | null;
  enclaves: { role: string; verdict: string; checks: string[] }[];
  /** Verdict with pinned values from the recording itself. Accepts an outdated platform. */
  pinned: string;
}

/** Verifies a recording as of its creation, first without pinned values and then with its own. */
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

/** Verifies a recording once. Returns the time taken and the number of enclaves. */
export async function timeRecorded(recording: RecordedAnswers): Promise<{ tookMs: number; enclaves: number }> {
  const startedMs = performance.now();
  const { enclaves } = await verifyRecording(recording);
  return { tookMs: performance.now() - startedMs, enclaves: enclaves.length };
}
