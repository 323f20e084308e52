import { type AttestationPolicy, DEFAULT_POLICY, type PinnedWorkload } from '../tee/policy';
import type { AmdPolicy } from './sev-snp/amd-policy';

/** A workload that somebody knows, on whichever hardware. */
export type PinnedEnclaveWorkload = PinnedWorkload;

/** What the verifier of reports takes for good. */
export interface EnclavePolicy extends AttestationPolicy {
  /** Of AMD; AMD's own roots and the levels that it asks for where left out. */
  amd?: AmdPolicy;
}

/** The roots of the makers of hardware, platforms that are up to date, and no workload known. */
export const DEFAULT_ENCLAVE_POLICY: EnclavePolicy = DEFAULT_POLICY;
