import type { Measurements } from '../tee/workload/workload';

/** A register is null if the quote has no value for it. */
export type TdxMeasurements = Measurements & {
  kind: 'intel-tdx';
  /** Register that measures the application, if the family states one. */
  applicationIn?: 'rtMr2';
};

/** Measurements of an AMD SEV-SNP guest (AMD 56860, "ATTESTATION_REPORT Structure"), lower-case hex. */
export interface SevSnpMeasurements {
  kind: 'amd-sev-snp';
  /**
   * MEASUREMENT, 48 bytes: launch digest of the firmware. With a measured direct boot it also covers kernel, initrd and
   * command line.
   */
  snpMeasurement: string;
  /** HOST_DATA, 32 bytes that the host chose at launch. */
  snpHostData: string;
}
