import { Malformed } from '../../tee/malformed';

/** An attestation report of an SEV-SNP guest (AMD 56860, "SEV Secure Nested Paging Firmware ABI Specification", table "ATTESTATION_REPORT Structure"), read and not yet believed. */
export interface SnpReport {
  version: number;
  policy: bigint;
  /** The privilege level that asked for the report, 0 to 3; 0 is the guest's firmware and kernel. */
  vmpl: number;
  platformInfo: bigint;
  /** Which key signed. */
  signingKey: 'vcek' | 'vlek' | 'none';
  reportData: Uint8Array;
  measurement: Uint8Array;
  hostData: Uint8Array;
  /** TCB_VERSION, 8 bytes each: what runs, what the certificate is of, what cannot be rolled back, what ran at launch. */
  currentTcb: Uint8Array;
  reportedTcb: Uint8Array;
  committedTcb: Uint8Array;
  launchTcb: Uint8Array;
  /** Family, model and stepping of the processor; null before version 3. */
  cpuid: { family: number; model: number; stepping: number } | null;
  chipId: Uint8Array;
  /** What runs, `major.minor.build`. */
  firmware: string;
  signedBytes: Uint8Array;
  /** r ‖ s on P-384, big-endian. */
  signature: Uint8Array;
}

export const SNP_REPORT_BYTES = 1_184;
const VERSIONS = { min: 2, max: 5 } as const;
const ECDSA_P384_SHA384 = 1;
const SIGNED_BYTES = 0x2a0;
const SCALAR_BYTES = 48;
const SCALAR_FIELD_BYTES = 72;
const SIGNING_KEYS: Readonly<Record<number, SnpReport['signingKey']>> = { 0: 'vcek', 1: 'vlek', 7: 'none' };

/** Reads a report. @throws {Malformed} for another length, version or algorithm, and for bytes in the signature that nothing accounts for */
export function parseSnpReport(bytes: Uint8Array): SnpReport {
  if (bytes.length !== SNP_REPORT_BYTES)
    throw new Malformed(`The report has ${bytes.length} bytes where an SEV-SNP report has ${SNP_REPORT_BYTES}.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = (start: number, length: number) => bytes.subarray(start, start + length);
  const version = view.getUint32(0, true);
  if (version < VERSIONS.min || version > VERSIONS.max)
    throw new Malformed(`The report is of version ${version}; known are ${VERSIONS.min} to ${VERSIONS.max}.`);
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

/** r and s are little-endian and filled up with zeros to 72 bytes each; zeros fill the rest. */
function signatureOf(bytes: Uint8Array): Uint8Array {
  const isZero = (start: number, end: number) => bytes.subarray(start, end).every((byte) => byte === 0);
  if (!isZero(SCALAR_BYTES, SCALAR_FIELD_BYTES) || !isZero(SCALAR_FIELD_BYTES + SCALAR_BYTES, bytes.length))
    throw new Malformed('The signature of the report has bytes that are none of it.');
  const compact = new Uint8Array(2 * SCALAR_BYTES);
  compact.set(bytes.slice(0, SCALAR_BYTES).reverse());
  compact.set(bytes.slice(SCALAR_FIELD_BYTES, SCALAR_FIELD_BYTES + SCALAR_BYTES).reverse(), SCALAR_BYTES);
  return compact;
}
