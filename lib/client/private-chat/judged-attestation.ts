import type { EnclaveKey } from '@/lib/protocol/attestation/enclave';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';

export interface Attestation {
  model: string;
  /** 32 random bytes that this client chose, in hex. */
  nonce: string;
  /** This client's own verdict. */
  verdict: ServedVerdict;
  encryption: EnclaveKey['algorithm'] | null;
  /** Unverified claims of the gateway, for display. */
  claim: AttestationClaim;
  /** Gateway's answer, parsed. */
  report: unknown;
  latencyMs: number;
  verifyMs: number;
  /** Returns the text of a file for `turnpike-client verify --file`. */
  exportText(): string;
}

export interface AttestationClaim {
  verified: boolean | null;
  verdict: string | null;
  reason: string | null;
  provider: string | null;
}
