import type { TdReport } from '@/lib/protocol/tee/quote/quote';
import type { CheckResult } from '../tee/check-list';
import type { Measurements } from '../tee/workload/workload';
import type { EnclaveCheck } from './enclave-checks';

/** A register that the quote lacks is null. */
export type TdxMeasurements = Measurements & {
  kind: 'intel-tdx';
  /** Register that measures the application instead of RTMR3; absent if none does. */
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

/** Third-party endorsements of hardware and workload (RFC 9334), unverified, for all enclaves of a report. */
export interface Endorsements {
  /** Intel collateral in the format of PCCS clients, as unvalidated JSON. FMSPC and authority identify an entry. */
  tdxCollateral: readonly unknown[];
  /** DER certificates from AMD's key distribution service, in any order: VCEKs or VLEKs, ASKs, ARKs. */
  amdCertificates: readonly Uint8Array[];
  amdRevocationLists: readonly Uint8Array[];
  nvidiaVerdicts: readonly unknown[];
  /** Key sets (RFC 7517) of NVIDIA's attestation service. */
  nvidiaKeySets: readonly unknown[];
  /** NVIDIA's error message if its service returned no verdict. */
  nvidiaFault: string | null;
  /** Sigstore bundles (`application/vnd.dev.sigstore.bundle…`), as unvalidated JSON. */
  sigstoreBundles: readonly unknown[];
  /** SHA-256 digests of the provider's stated releases, lower-case hex. */
  releaseDigests: readonly string[];
}

/** Common form of all families' reports. All content is unverified until `verifyReport` has checked it. */

/** A `gateway` or `router` forwards requests to the model. */
export type EnclaveRole = 'model' | 'router' | 'gateway';

export interface ClaimedEnclave {
  role: EnclaveRole;
  /** Displayed name, such as an instance id or a model name. */
  name: string | null;
  model: string | null;
  hardware: HardwareClaim;
  reportData: ReportDataRules;
  further?: readonly OwnCheck[];
  keys: readonly EnclaveKey[];
  gpu: GpuClaim | null;
  workload: WorkloadClaim;
  /**
   * Why no client can use this instance, as a sentence; null if usable. An unusable instance is verified, but cannot be
   * selected.
   */
  unusable: string | null;
}

/**
 * Evidence of the processor. If a getter throws `Malformed` or `NotCheckable`, the check that calls the getter has that
 * outcome.
 */
export type HardwareClaim = TdxClaim | SevSnpClaim | UnknownHardwareClaim;

export interface TdxClaim {
  kind: 'intel-tdx';
  quote: () => Uint8Array;
  /** Unvalidated JSON for `readCollateral`. */
  collateral: unknown;
}

export interface SevSnpClaim {
  kind: 'amd-sev-snp';
  /** Attestation report: 1,184 bytes (AMD 56860, table "ATTESTATION_REPORT Structure"). */
  report: () => Uint8Array;
  /** DER certificates from the report, in any order: VCEK or VLEK, ASK, ARK. */
  certificates: () => readonly Uint8Array[];
}

interface UnknownHardwareClaim {
  kind: 'unknown';
  platform: string;
}

/**
 * Rules for the 64 bytes of report data. The parts must cover each byte once, because an attacker could choose an
 * uncovered byte.
 */
export interface ReportDataRules {
  /** Nonce in the report, or null. The nonce check compares it with the requested nonce. */
  statedNonce: string | null;
  parts: readonly ReportDataPart[];
}

export interface ReportDataPart {
  check: 'nonce' | 'signing-key' | 'certificate';
  /** Offset in the report data. `end` is exclusive. */
  start: number;
  end: number;
  /** Rule for display, such as `SHA-256(key ‖ fingerprint)`. */
  rule: string;
  holdsNonce: boolean;
  /**
   * Returns the required bytes from `start` to `end`.
   *
   * @param nonce 32 bytes: the report's nonce, else the requested nonce, so that a wrong nonce fails only the nonce
   *   check
   * @throws {NotCheckable} if the report lacks a needed member; {Malformed} if a member is unreadable
   */
  expected: (nonce: Uint8Array) => Uint8Array;
}

/**
 * An extra check of one report family, such as a signature by an attested key. Runs after the check of the report data
 * and before the check of the workload. If it fails, the enclave fails. `NotCheckable` does not change the verdict.
 */
export interface OwnCheck {
  id: 'certificate' | 'certificate-signature' | 'release' | 'signing-key';
  title: string;
  make: (context: {
    reportData: Uint8Array;
    measurements: EnclaveMeasurements;
    endorsements: Endorsements;
    nowMs: number;
  }) => CheckResult<unknown> | Promise<CheckResult<unknown>>;
}

type KeyPurpose = 'encryption' | 'signature' | 'tls';

export interface EnclaveKey {
  purpose: KeyPurpose;
  /** `tls-spki-sha256` is the SHA-256 of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7): a fingerprint, not a key. */
  algorithm: 'secp256k1' | 'ed25519' | 'x25519' | 'x25519-hpke' | 'ml-kem-768' | 'tls-spki-sha256';
  /** Lower-case hex. */
  value: string;
}

export interface GpuClaim {
  /** @throws {Malformed | CheckFailed} */
  evidence: () => GpuEvidenceList;
  /**
   * Nonce that the GPUs must have signed: from the request, or the first 32 bytes of the report data. A request's nonce
   * alone does not tie the GPUs to the quote.
   */
  nonce: 'asked' | 'report-data';
  /** Nonce in the report, lower-case hex. */
  statedNonce: string | null;
  /** True if `reportData` contains a hash of this evidence. */
  isBoundByReportData: boolean;
}

export interface GpuEvidenceList {
  /** GPU architecture, such as `HOPPER` or `BLACKWELL`; empty if not stated. */
  arch: string;
  /** Base64 of PEM certificates and of SPDM evidence. */
  gpus: readonly { certificate: string; evidence: string }[];
  switches: readonly { certificate: string; evidence: string }[];
}

interface WorkloadClaim {
  /** Unvalidated JSON in dstack's format. */
  eventLog: unknown;
  /** Text of the compose file, whose hash the quote binds (`checkComposeFile`). */
  appCompose: string | null;
  /** Register that measures the application instead of RTMR3. Ignored unless RTMR3 is zero. */
  applicationIn?: 'rtMr2';
}

export interface HardwareFindings {
  /** The 64 bytes that the enclave chose and the hardware signed. */
  reportData: Uint8Array;
  measurements: EnclaveMeasurements;
  /** True if the certificate chain ends at a simulator's root. */
  isSimulated: boolean;
  /** TD report, which the checks of event log and compose file need. */
  tdReport?: TdReport;
}

/** Measurements in lower-case hex. */
export type EnclaveMeasurements = TdxMeasurements | SevSnpMeasurements;

export type EnclaveVerdictName = 'verified' | 'unknown-workload' | 'simulated' | 'failed' | 'not-checkable';

export interface EnclaveVerdict {
  role: EnclaveRole;
  name: string | null;
  hardware: HardwareClaim['kind'];
  verdict: EnclaveVerdictName;
  /** Sentence about the first check that failed or could not be performed. */
  reason: string | null;
  checks: readonly EnclaveCheck[];
  /** Attested keys. Empty unless every check of the keys passed. */
  keys: readonly EnclaveKey[];
  measurements: EnclaveMeasurements | null;
  /** Name of the matching pinned workload. */
  workload: string | null;
  /** True for the enclaves in front of the model, and for the model instance that a client would use. */
  isUsed: boolean;
  unusable: string | null;
}
