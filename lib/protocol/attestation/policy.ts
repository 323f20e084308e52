import { type AttestationPolicy, DEFAULT_POLICY, type PinnedWorkload } from '../tee/policy';

/** A workload that somebody knows, on whichever hardware. */
export type PinnedEnclaveWorkload = PinnedWorkload;

/** What the verifier of reports takes for good. */
export type EnclavePolicy = AttestationPolicy;

/** The roots of the makers of hardware, platforms that are up to date, and no workload known. */
export const DEFAULT_ENCLAVE_POLICY: EnclavePolicy = DEFAULT_POLICY;
