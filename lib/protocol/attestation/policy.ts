import { type AttestationPolicy, DEFAULT_POLICY, type PinnedWorkload } from '../tee/policy';
import type { AmdPolicy } from './sev-snp/amd-policy';

export type PinnedEnclaveWorkload = PinnedWorkload;

export interface EnclavePolicy extends AttestationPolicy {
  /** Default: `DEFAULT_AMD_POLICY`. */
  amd?: AmdPolicy;
}

/** Default policy: the hardware makers' root certificates, up-to-date platforms and no pinned workloads. */
export const DEFAULT_ENCLAVE_POLICY: EnclavePolicy = DEFAULT_POLICY;
