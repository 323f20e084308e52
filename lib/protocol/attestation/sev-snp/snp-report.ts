import { Malformed } from '../../tee/malformed';

/**
 * Unverified attestation report of an SEV-SNP guest (AMD 56860, "SEV Secure Nested Paging Firmware ABI Specification",
 * table "ATTESTATION_REPORT Structure").
 */
export interface SnpReport {
  version: number;
  policy: bigint;
  /** VMPL of the requester, 0 to 3. Level 0 is the guest's firmware and kernel. */
  vmpl: number;
  platformInfo: bigint;
  signingKey: 'vcek' | 'vlek' | 'none';
  reportData: Uint8Array;
  measurement: Uint8Array;
  hostData: Uint8Array;
  /**
   * TCB_VERSIONs of 8 bytes. The processor cannot roll back below `committedTcb`. The chip's certificate states
   * `reportedTcb`.
   */
  currentTcb: Uint8Array;
  reportedTcb: Uint8Array;
  committedTcb: Uint8Array;
  launchTcb: Uint8Array;
  /** CPU family, model and stepping; null before report version 3. */
  cpuid: { family: number; model: number; stepping: number } | null;
  chipId: Uint8Array;
  /** Firmware version, `major.minor.build`. */
  firmware: string;
  signedBytes: Uint8Array;
  /** r ‖ s on P-384, each 48 bytes, big-endian. */
  signature: Uint8Array;
}

const SNP_REPORT_BYTES = 1_184;
const VERSIONS = { min: 2, max: 5 } as const;
const ECDSA_P384_SHA384 = 1;
const SIGNED_BYTES = 0x2a0;
const SCALAR_BYTES = 48;
const SCALAR_FIELD_BYTES = 72;
const SIGNING_KEYS: Readonly<Record<number, SnpReport['signingKey']>> = { 0: 'vcek', 1: 'vlek', 7: 'none' };

/** @throws {Malformed} for an unsupported length, version or algorithm, or for stray bytes in the signature */
export function parseSnpReport(bytes: Uint8Array): SnpReport {
  if (bytes.length !== SNP_REPORT_BYTES)
    throw new Malformed(`The report has ${bytes.length} bytes, but an SEV-SNP report has ${SNP_REPORT_BYTES}.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = (start: number, length: number) => bytes.subarray(start, start + length);
  const version = view.getUint32(0, true);
  if (version < VERSIONS.min || version > VERSIONS.max)
    throw new Malformed(
      `The report has version ${version}; versions ${VERSIONS.min} to ${VERSIONS.max} are supported.`,
    );
  if (view.getUint32(0x34, true) !== ECDSA_P384_SHA384)
    throw new Malformed('The report is not signed with ECDSA on P-384.');
  const signingKey = SIGNING_KEYS[(view.getUint32(0x48, true) >> 2) & 7];
  if (signingKey === undefined) throw new Malformed('The report is signed with a key of an unknown kind.');
  const [build, minor, major] = field(0x1e8, 3);
  return {
    version,
    policy: view.getBigUint64(0x08, true),
    vmpl: view.getUint32(0x30, true),
    platformInfo: view.getBigUint64(0x40, true),
    signingKey,
    reportData: field(0x50, 64),
    measurement: field(0x90, 48),
    hostData: field(0xc0, 32),
    currentTcb: field(0x38, 8),
    reportedTcb: field(0x180, 8),
    committedTcb: field(0x1e0, 8),
    launchTcb: field(0x1f0, 8),
    cpuid:
      version >= 3
        ? { family: view.getUint8(0x188), model: view.getUint8(0x189), stepping: view.getUint8(0x18a) }
        : null,
    chipId: field(0x1a0, 64),
    firmware: `${major}.${minor}.${build}`,
    signedBytes: field(0, SIGNED_BYTES),
    signature: signatureOf(bytes.subarray(SIGNED_BYTES)),
  };
}

/** Converts the signature to big-endian. In the report, r and s are little-endian and zero-padded to 72 bytes each. */
function signatureOf(bytes: Uint8Array): Uint8Array {
  const isZero = (start: number, end: number) => bytes.subarray(start, end).every((byte) => byte === 0);
  if (!isZero(SCALAR_BYTES, SCALAR_FIELD_BYTES) || !isZero(SCALAR_FIELD_BYTES + SCALAR_BYTES, bytes.length))
    throw new Malformed("The report's signature has bytes outside its fields.");
  const compact = new Uint8Array(2 * SCALAR_BYTES);
  compact.set(bytes.slice(0, SCALAR_BYTES).reverse());
  compact.set(bytes.slice(SCALAR_FIELD_BYTES, SCALAR_FIELD_BYTES + SCALAR_BYTES).reverse(), SCALAR_BYTES);
  return compact;
}
