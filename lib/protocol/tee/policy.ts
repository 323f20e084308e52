import { NVIDIA_DEVICE_ROOT, NVIDIA_SERVICE_AUTHORITY } from './gpu/nvidia-roots';
import type { TcbStatus } from './hardware/tcb-status';
import { INTEL_ROOT, type TrustedRoot } from './trusted-roots';
import type { Certificate } from './x509/certificate';

/** A workload that is known: what must stand in a quote for it. All that is given must fit; hex in either case. */
export interface PinnedWorkload {
  name: string;
  mrTd?: string;
  rtMr0?: string;
  rtMr1?: string;
  rtMr2?: string;
  rtMr3?: string;
  mrConfigId?: string;
  /** sha256 of the application's compose file, bound by mr_config_id or an event of RTMR3. */
  composeHash?: string;
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
  nvidiaKeys: [],
  nvidiaAuthorities: [NVIDIA_SERVICE_AUTHORITY],
  nvidiaDeviceRoots: [NVIDIA_DEVICE_ROOT],
};
