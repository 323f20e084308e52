import { type AttestationPolicy, DEFAULT_POLICY, type PinnedWorkload } from '../tee/policy';

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
}

export const DEFAULT_ENCLAVE_POLICY: EnclavePolicy = DEFAULT_POLICY;
