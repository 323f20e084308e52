import type { Check, CheckMaker } from '../tee/check-list';

/**
 * The checks of an enclave, in the order in which they are shown. Those of the hardware have the same ids whoever made
 * it, and stand for what they stand for with Intel TDX (`lib/protocol/tee/check-list.ts`); of AMD SEV-SNP:
 * `quote-format` the report's form; `certificate-chain` VCEK or VLEK under a pinned ARK; `certificate-validity`;
 * `revocation`; `quote-signature` the report's by the chip; `tcb-status` its reported TCB against the certificate and the
 * policy; `debug-off` the guest policy; `migration-off` the same of a migration agent; `privilege-level` the VMPL.
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

/** Where a check of hardware puts its outcomes. */
export type EnclaveChecks = CheckMaker<EnclaveCheckId>;
