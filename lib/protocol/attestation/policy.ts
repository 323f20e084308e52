import { type AttestationPolicy, DEFAULT_POLICY, type PinnedWorkload } from '../tee/policy';
import type { AmdPolicy } from './sev-snp/amd-policy';

/** A workload that somebody knows, on whichever hardware: of an SNP guest by `snpMeasurement` and `snpHostData`. */
export interface PinnedEnclaveWorkload extends PinnedWorkload {
  /** MEASUREMENT of an SNP report, 48 bytes in hex. */
  snpMeasurement?: string;
  /** HOST_DATA of an SNP report, 32 bytes in hex. */
  snpHostData?: string;
}

/** What the verifier of reports takes for good: Intel's and NVIDIA's roots and levels, and of AMD what SEV-SNP takes. */
export interface EnclavePolicy extends AttestationPolicy {
  pinnedWorkloads: readonly PinnedEnclaveWorkload[];
  /** Of AMD what is taken for good; AMD's own roots and the levels that it asks for where left out. */
  amd?: AmdPolicy;
}

export const DEFAULT_ENCLAVE_POLICY: EnclavePolicy = DEFAULT_POLICY;
