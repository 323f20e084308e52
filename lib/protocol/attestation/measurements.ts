import type { Measurements } from '../tee/workload/workload';

/** Of an Intel trust domain; null is what the quote does not say. */
export type TdxMeasurements = Measurements & {
  kind: 'intel-tdx';
  /** Where the family of the report says that what boots names the application, and RTMR3 is of zeros: the register that holds it. */
  applicationIn?: 'rtMr2';
};

/** Of an AMD SEV-SNP guest (AMD 56860, "ATTESTATION_REPORT Structure"), in lower-case hex. */
export interface SevSnpMeasurements {
  kind: 'amd-sev-snp';
  /** MEASUREMENT, 48 bytes: the launch digest, of firmware and, with a measured direct boot, of kernel, initrd and command line. */
  snpMeasurement: string;
  /** HOST_DATA, 32 bytes: what the host gave at launch. */
  snpHostData: string;
}
