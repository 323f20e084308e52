import { INTEL_ROOT, NVIDIA_DEVICE_ROOT, NVIDIA_SERVICE_AUTHORITY, type TrustedRoot } from './trusted-roots';
import type { TcbStatus } from './hardware/tcb-info';
import type { Certificate } from './x509/certificate';

/**
 * A quote must contain every value that the pin sets (hex in either case). One value alone does not identify a workload
 * (`checkWorkload`).
 */
export interface PinnedWorkload {
  name: string;
  /** Hash of an image that the policy defines (`PinnedImage`), instead of MRTD and RTMR0 to RTMR2. */
  imageHash?: string;
  mrTd?: string;
  rtMr0?: string;
  rtMr1?: string;
  rtMr2?: string;
  rtMr3?: string;
  mrConfigId?: string;
  /** SHA-256 of the compose file. mr_config_id or an RTMR3 event must contain this hash. */
  composeHash?: string;
  /**
   * Pins the application by RTMR2, which measures the command line. The pin then needs neither RTMR3 nor a compose
   * hash. Has an effect only if RTMR3 is zero and the report's family sets `applicationIn` too.
   */
  applicationIn?: 'rtMr2';
  /**
   * Launch measurement (48 bytes) of an AMD SEV-SNP guest. Launch measurement and HOST_DATA (32 bytes) replace all
   * other values.
   */
  snpMeasurement?: string;
  snpHostData?: string;
}

/**
 * Boot measurements of an OS image. `hash` only identifies this entry; no quote contains it. Each machine shape needs
 * its own entry, because RTMR0 covers processors and memory.
 */
export interface PinnedImage {
  hash: string;
  mrTd: string;
  rtMr0: string;
  rtMr1: string;
  rtMr2: string;
}

/** ES384 key of NVIDIA's attestation service, as a JSON Web Key (RFC 7517). */
export interface NvidiaKey {
  kid: string;
  kty: 'EC';
  crv: 'P-384';
  x: string;
  y: string;
}

export interface AttestationPolicy {
  roots: readonly TrustedRoot[];
  acceptedTcbStatuses: readonly TcbStatus[];
  /** Smallest accepted evaluation number of collateral. Excludes collateral issued before a vulnerability was known. */
  evaluationDataNumberMin: number;
  pinnedWorkloads: readonly PinnedWorkload[];
  pinnedImages: readonly PinnedImage[];
  nvidiaKeys: readonly NvidiaKey[];
  /** Authorities of NVIDIA's attestation service. One of them must certify a key that comes from the report. */
  nvidiaAuthorities: readonly Certificate[];
  nvidiaDeviceRoots: readonly Certificate[];
}

/** Default policy: roots of Intel and NVIDIA, up-to-date platforms, no pinned workloads. */
export const DEFAULT_POLICY: AttestationPolicy = {
  roots: [INTEL_ROOT],
  acceptedTcbStatuses: ['UpToDate'],
  evaluationDataNumberMin: 0,
  pinnedWorkloads: [],
  pinnedImages: [],
  nvidiaKeys: [],
  nvidiaAuthorities: [NVIDIA_SERVICE_AUTHORITY],
  nvidiaDeviceRoots: [NVIDIA_DEVICE_ROOT],
};
