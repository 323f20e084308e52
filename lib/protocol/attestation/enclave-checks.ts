import type { Check, CheckMaker } from '../tee/check-list';

/**
 * Ids of an enclave's checks. For AMD SEV-SNP, `certificate-chain` checks the chip's certificate (VCEK) up to a pinned
 * root (ARK). `quote-signature` checks the chip's signature on the report. `tcb-status` compares the reported TCB with
 * the certificate's TCB and the policy's minima. `debug-off` and `migration-off` check the guest policy.
 * `privilege-level` checks the guest's privilege level (VMPL).
 */
export const ENCLAVE_CHECK_IDS = [
  'report-format',
  'quote-format',
  'certificate-chain',
  'certificate-validity',
  'revocation',
  'tcb-info',
  'qe-identity',
  'quoting-enclave',
  'quote-signature',
  'tcb-status',
  'tdx-module',
  'debug-off',
  'migration-off',
  'privilege-level',
  'nonce',
  'model',
  'signing-key',
  'certificate',
  'certificate-signature',
  'event-log',
  'compose-file',
  'images',
  'release',
  'workload',
  'gpu-evidence',
  'gpu',
] as const;

export type EnclaveCheckId = (typeof ENCLAVE_CHECK_IDS)[number];

export type EnclaveCheck = Check<EnclaveCheckId>;

export type EnclaveChecks = CheckMaker<EnclaveCheckId>;
