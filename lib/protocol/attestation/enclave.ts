import type { CheckResult } from '../tee/check-list';
import type { TdReport } from '../tee/quote/td-report';
import type { EnclaveCheck } from './enclave-checks';
import type { Endorsements } from './endorsements';
import type { SevSnpMeasurements, TdxMeasurements } from './measurements';

/**
 * What every family of reports is read into: a list of enclaves, each with what it claims of its hardware, what the 64
 * bytes of its report data must be, and the keys that it is said to hold. A parser reads and decides nothing: all of
 * this is somebody's word until `verifyReport` has checked it. What stands here is the same for every family, so that
 * one verifier checks them all, in browsers, in Node and in the gateway.
 */

/** Where on its way a prompt meets the enclave: in front of the model's (`gateway`, `router`), or in it. */
export type EnclaveRole = 'model' | 'router' | 'gateway';

/** One enclave of a report, as it is claimed. */
export interface ClaimedEnclave {
  role: EnclaveRole;
  /** What the report calls it, for people: the id of an instance, the name of a model. Null where it has no name. */
  name: string | null;
  /** The model that the report says runs there; null where it says none. */
  model: string | null;
  hardware: HardwareClaim;
  /** What the report data must be by the rules of the family. */
  reportData: ReportDataRules;
  /** What else the family has to check that is its own, in the order in which it is to be checked; see `OwnCheck`. */
  further?: readonly OwnCheck[];
  keys: readonly EnclaveKey[];
  /** Null where the report has no part about GPUs. */
  gpu: GpuClaim | null;
  /** What is said to run there. */
  workload: WorkloadClaim;
  /** Why a client can never use this instance, in a sentence; null for one that it can. Such an instance is verified, and counts for nothing. */
  unusable: string | null;
}

/** Evidence of the processor. What a getter throws is the outcome of the checks that need it (`Malformed`, `NotCheckable`). */
export type HardwareClaim = TdxClaim | SevSnpClaim | UnknownHardwareClaim;

export interface TdxClaim {
  kind: 'intel-tdx';
  /** The bytes of the quote. */
  quote: () => Uint8Array;
  /** Collateral that came in the report itself, parsed JSON, not read yet (`readCollateral`); null where none did. */
  collateral: unknown;
}

export interface SevSnpClaim {
  kind: 'amd-sev-snp';
  /** The attestation report: 1,184 bytes (AMD 56860, table "ATTESTATION_REPORT Structure"). */
  report: () => Uint8Array;
  /** Certificates in DER that came in the report itself, in any order: the chip's (VCEK or VLEK), ASK, ARK. Empty where none did. */
  certificates: () => readonly Uint8Array[];
}

/** Hardware that nothing is known about here: whatever it is, nothing is proved. */
export interface UnknownHardwareClaim {
  kind: 'unknown';
  /** What the report says, for the sentence. */
  platform: string;
}

/**
 * The rules for the 64 bytes of report data. The parts must cover all 64 bytes, each byte once: what no rule accounts
 * for would be somebody else's to choose.
 */
export interface ReportDataRules {
  /** The nonce that the report itself names, as it stands there; null where it names none. Compared with the one that was asked for. */
  statedNonce: string | null;
  parts: readonly ReportDataPart[];
}

export interface ReportDataPart {
  /** Which check this part decides. */
  check: 'nonce' | 'signing-key' | 'certificate';
  /** Offsets in the report data; the end is exclusive. */
  start: number;
  end: number;
  /** What it is, for people: `SHA-256(key ‖ fingerprint)`. */
  rule: string;
  /** Whether the bytes depend on the nonce, as a hash over key and nonce does. */
  holdsNonce: boolean;
  /**
   * The bytes that must stand there.
   * @param nonce 32 bytes: the one that was asked for or, where the report names another, that one, so that the check of
   *   the nonce fails and the others still say what they find
   * @throws {NotCheckable} where a part of it is missing, with a sentence; {Malformed} for one that cannot be read
   */
  expected: (nonce: Uint8Array) => Uint8Array;
}

/**
 * A check that only this family has, such as a signature by the key of a certificate that the report data speaks for. It
 * is made after those of the report data and before those of the workload. A failure fails the enclave; what cannot be
 * checked leaves it as it is.
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

/** What a key of an enclave is for: content is encrypted to it, answers are signed by it, or it ends TLS. */
export type KeyPurpose = 'encryption' | 'signature' | 'tls';

export interface EnclaveKey {
  purpose: KeyPurpose;
  /** `tls-spki-sha256` is SHA-256 of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7): a fingerprint, not a key. */
  algorithm: 'secp256k1' | 'ed25519' | 'x25519' | 'x25519-hpke' | 'ml-kem-768' | 'tls-spki-sha256';
  /** The public key or fingerprint, in lower-case hex. */
  value: string;
}

/** The GPUs' part of a report. */
export interface GpuClaim {
  /** One item for each GPU. @throws {Malformed} */
  evidence: () => GpuEvidenceList;
  /** The nonce that the GPUs must have signed: the one that was asked for, or what the report data starts with (the first 32 bytes), which ties the GPUs to the quote. */
  nonce: 'asked' | 'report-data';
  /** Lower-case hex of the nonce that the report names for its GPUs; null where it names none. */
  statedNonce: string | null;
  /** Whether something that the processor signed holds a hash of this evidence, by the rules of `reportData`. */
  isBoundByReportData: boolean;
}

export interface GpuEvidenceList {
  /** `HOPPER`, `BLACKWELL`, …: upper case. Empty where the report names none. */
  arch: string;
  /** Certificates (PEM in base64) and SPDM evidence (base64) of each GPU. */
  gpus: readonly { certificate: string; evidence: string }[];
  /** The same of each NVSwitch; empty where there is none. */
  switches: readonly { certificate: string; evidence: string }[];
}

/** What is said to run in an enclave. */
export interface WorkloadClaim {
  /** Parsed JSON in the form of dstack, not read yet; null where there is none. */
  eventLog: unknown;
  /** The compose file as text, its hash bound by the quote (`checkComposeFile`); null where there is none. */
  appCompose: string | null;
  /** The register beside which none names the application, where what boots names all that runs and is measured there; RTMR3 is then of zeros. */
  applicationIn?: 'rtMr2';
}

/** What a check of hardware established, whoever made the hardware. */
export interface HardwareFindings {
  /** The 64 bytes that the enclave chose, signed by the hardware. */
  reportData: Uint8Array;
  measurements: EnclaveMeasurements;
  /** Whether the root is a simulator's. False where no chain led to a root. */
  isSimulated: boolean;
  /** What Intel's module says of a trust domain, for the checks of logs and compose files. Absent with other hardware. */
  tdReport?: TdReport;
}

/** What the hardware measured, in lower-case hex. */
export type EnclaveMeasurements = TdxMeasurements | SevSnpMeasurements;

export type EnclaveVerdictName = 'verified' | 'unknown-workload' | 'simulated' | 'failed' | 'not-checkable';

/** What came of one enclave. */
export interface EnclaveVerdict {
  role: EnclaveRole;
  name: string | null;
  hardware: HardwareClaim['kind'];
  verdict: EnclaveVerdictName;
  /** Of a failure or of what is not checkable the first check that says so, in a sentence; null where nothing does. */
  reason: string | null;
  checks: readonly EnclaveCheck[];
  /** Only those that the report data speaks for; empty unless everything that it takes was checked and passed. */
  keys: readonly EnclaveKey[];
  measurements: EnclaveMeasurements | null;
  /** The name of the pinned workload, where one fits. */
  workload: string | null;
  /** Whether a client would use this one; false for an instance without a key, and for one that another comes before. */
  isUsed: boolean;
  unusable: string | null;
}
