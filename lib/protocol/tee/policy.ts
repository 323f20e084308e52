import { NVIDIA_DEVICE_ROOT, NVIDIA_SERVICE_AUTHORITY } from './gpu/nvidia-roots';
import type { TcbStatus } from './hardware/tcb-status';
import { INTEL_ROOT, type TrustedRoot } from './trusted-roots';
import type { Certificate } from './x509/certificate';

/**
 * A workload that somebody knows: what must stand in a quote for it. All that is given must fit; hex in either case.
 * What it takes to be known by is more than any one of these (`checkWorkload`).
 */
export interface PinnedWorkload {
  name: string;
  /** An image that implies MRTD and RTMR0 to 2, where the policy says which (`PinnedImage`). */
  imageHash?: string;
  mrTd?: string;
  rtMr0?: string;
  rtMr1?: string;
  rtMr2?: string;
  rtMr3?: string;
  mrConfigId?: string;
  /** sha256 of the application's compose file, bound by mr_config_id or an event of RTMR3. */
  composeHash?: string;
  /** That none of these two is needed: what boots names all that runs, in a command line that is measured into RTMR2. Counts for reports whose family says so too, with RTMR3 of zeros. */
  applicationIn?: 'rtMr2';
  /** Of an AMD SEV-SNP guest: its launch measurement, 48 bytes, and HOST_DATA, 32 bytes. Such a guest has none of the others. */
  snpMeasurement?: string;
  snpHostData?: string;
}

/**
 * What an image of an operating system measures when it boots, as who pins it has reckoned or seen. Its hash is only
 * a name for these values: nothing in a quote holds it, so it implies nothing without them. An image has as many of
 * these as there are shapes of machines, since RTMR0 covers processors and memory.
 */
export interface PinnedImage {
  /** sha256, hex. */
  hash: string;
  mrTd: string;
  rtMr0: string;
  rtMr1: string;
  rtMr2: string;
}

/** An ES384 key of NVIDIA's attestation service, as a JSON Web Key (RFC 7517). */
export interface NvidiaKey {
  kid: string;
  kty: 'EC';
  crv: 'P-384';
  x: string;
  y: string;
}

/** What a verifier takes for good. */
export interface AttestationPolicy {
  roots: readonly TrustedRoot[];
  acceptedTcbStatuses: readonly TcbStatus[];
  /** Collateral of an older evaluation than this is refused, so that nobody rolls back to what was known before a fault was. */
  evaluationDataNumberMin: number;
  pinnedWorkloads: readonly PinnedWorkload[];
  pinnedImages: readonly PinnedImage[];
  /** Keys of NVIDIA's attestation service that are pinned themselves. */
  nvidiaKeys: readonly NvidiaKey[];
  /** Who certifies keys of that service. A key that comes with a report proves nothing unless one of these certified it. */
  nvidiaAuthorities: readonly Certificate[];
  /** Roots of GPUs' own certificates. */
  nvidiaDeviceRoots: readonly Certificate[];
}

/** The roots of Intel and NVIDIA, platforms that are up to date, and no workload known. */
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
