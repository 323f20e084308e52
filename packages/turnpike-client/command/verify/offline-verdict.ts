import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import type { AttestationDemands } from '../private-options';

/** Verdict on evidence in files, and its text for standard output. */
export interface OfflineVerdict {
  conclusion: AttestationConclusion;
  text: string;
}

export interface VerifyOptions {
  policy: AttestationDemands['policy'];
  /** Time as of which to verify, Unix milliseconds; null for the time of the evidence. */
  atMs: number | null;
  json: boolean;
}
