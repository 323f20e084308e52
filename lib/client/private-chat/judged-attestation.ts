import type { EnclaveKey } from '@/lib/protocol/attestation/enclave';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';

/** An attestation as it was asked for, answered and judged here. */
export interface Attestation {
  model: string;
  /** 32 bytes in hex, drawn here. */
  nonce: string;
  /** What this client found. All that counts. */
  verdict: ServedVerdict;
  /** The kind of key that content is encrypted to; null where it is not encrypted. */
  encryption: EnclaveKey['algorithm'] | null;
  /** What the gateway says of the same report. To be shown beside the verdict, and not believed. */
  claim: AttestationClaim;
  /** The answer of the gateway, parsed. */
  report: unknown;
  /** Round trip, milliseconds. */
  latencyMs: number;
  /** Milliseconds that verifying took. */
  verifyMs: number;
  /** Everything that it takes to check it again, as a file for `npm run verify-attestation`. */
  exportText(): string;
}

export interface AttestationClaim {
  verified: boolean | null;
  verdict: string | null;
  reason: string | null;
  provider: string | null;
}
