import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import type { AttestationReport } from '../attestation-report';
import { CheckFailed, type CheckResult, NotCheckable } from '../check-list';
import { Malformed } from '../malformed';
import { ByteCursor } from '../quote/byte-cursor';
import type { Certificate } from '../x509/certificate';
import { rootOfChain, Untrusted, verifyChain, verifyEndEntity, verifyValidity } from '../x509/chain';
import { parseDevicePem } from '../x509/pem';
import { isSignedBy } from '../x509/signature-algorithm';
import { type GpuEvidence, readNvidiaPayload } from './nvidia-payload';

/**
 * Request for a GPU's measurements, and the GPU's signed answer (DMTF DSP0274, SPDM 1.1, 10.11), parsed but not
 * verified.
 */
interface SpdmMeasurements {
  requestNonce: Uint8Array;
  /** Number of measurements. Only NVIDIA's service checks their values. */
  measurements: number;
  /** Driver version that the GPU reports. */
  driver: string | null;
  signedBytes: Uint8Array;
  /** r ‖ s on P-384. */
  signature: Uint8Array;
}

const VERSION_1_1 = 0x11;
const GET_MEASUREMENTS = 0xe0;
const MEASUREMENTS = 0x60;
const SIGNATURE_REQUESTED = 0x01;
const NONCE_BYTES = 32;
const SIGNATURE_BYTES = 96;
const DRIVER_VERSION = 3;

/** @throws {Malformed} also for trailing bytes */
export function readSpdmMeasurements(bytes: Uint8Array): SpdmMeasurements {
  const cursor = new ByteCursor(bytes, 'GPU evidence');
  const header = (code: number) => {
    const [version, kind, first] = cursor.take(4);
    if (version !== VERSION_1_1 || kind !== code)
      throw new Malformed('The GPU evidence is not in the format of SPDM 1.1.');
    return first as number;
  };
  if ((header(GET_MEASUREMENTS) & SIGNATURE_REQUESTED) === 0)
    throw new Malformed('The request to the GPU did not ask for a signature.');
  const requestNonce = cursor.take(NONCE_BYTES);
  cursor.take(1);
  header(MEASUREMENTS);
  const measurements = cursor.take(1)[0] as number;
  const [low = 0, middle = 0, high = 0] = cursor.take(3);
  checkBlocks(cursor.take(low + middle * 0x100 + high * 0x1_0000), measurements);
  cursor.take(NONCE_BYTES);
  const driver = driverOf(cursor.take(cursor.u16()));
  const signedBytes = bytes.subarray(0, cursor.offset);
  const signature = cursor.take(SIGNATURE_BYTES);
  cursor.end();
  return { requestNonce, measurements, driver, signedBytes, signature };
}

function checkBlocks(record: Uint8Array, count: number): void {
  const cursor = new ByteCursor(record, 'record of measurements');
  for (let block = 0; block < count; block++) {
    cursor.take(2);
    cursor.take(cursor.u16());
  }
  cursor.end();
}

/** NVIDIA's opaque data is a list of type-length-value fields. */
function driverOf(opaque: Uint8Array): string | null {
  const cursor = new ByteCursor(opaque, 'further data of the GPU');
  let driver: string | null = null;
  while (cursor.offset < opaque.length) {
    const type = cursor.u16();
    const value = cursor.take(cursor.u16());
    if (type === DRIVER_VERSION)
      driver = String.fromCharCode(...value.filter((byte) => byte > 0x20 && byte < 0x7f)).slice(0, 40);
  }
  return driver;
}

/** GPU generations whose evidence can be verified. */
const ARCHITECTURES: readonly string[] = ['HOPPER', 'BLACKWELL'];
const CERTIFICATES_MAX = 6;
const TEXT_MAX = 65_536;

/**
 * Checks GPU evidence without NVIDIA's service. Each GPU's key, certified under NVIDIA's pinned root, must have signed
 * measurements with this nonce. Does not check reference values or revocation.
 *
 * @throws {NotCheckable} without evidence, or for an unknown format; {CheckFailed | Malformed | Untrusted}
 */
export async function checkGpuEvidence(
  { nvidiaPayload }: AttestationReport,
  nonce: string | null,
  roots: readonly Certificate[],
  nowMs: number,
): Promise<CheckResult<true>> {
  if (nvidiaPayload === null) throw new NotCheckable('The report has no GPU evidence.');
  const { arch, evidence: gpus } = readNvidiaPayload(nvidiaPayload);
  return verifyGpuEvidence({ arch, gpus, switches: [] }, nonce, roots, nowMs);
}

/** Evidence of a machine's GPUs and switches. */
export interface MachineEvidence {
  arch: string;
  gpus: readonly GpuEvidence[];
  switches: readonly GpuEvidence[];
}

/**
 * Verifies the evidence of GPUs and switches, which share one format and root.
 *
 * @param nonce nonce that the devices must have signed, hex; null if unknown
 * @throws {NotCheckable} for an unknown architecture or nonce; {CheckFailed | Malformed | Untrusted}
 */
export async function verifyGpuEvidence(
  { arch, gpus, switches }: MachineEvidence,
  nonce: string | null,
  roots: readonly Certificate[],
  nowMs: number,
): Promise<CheckResult<true>> {
  const seen = { arch, gpus: gpus.length, ...(switches.length > 0 && { switches: switches.length }) };
  if (nonce === null)
    throw new NotCheckable('The nonce of the GPU evidence cannot be checked, because no nonce was given.', seen);
  if (!ARCHITECTURES.includes(arch))
    throw new NotCheckable(
      `GPU evidence of the architecture ${JSON.stringify(arch.slice(0, 40))} is not supported.`,
      seen,
    );
  if (gpus.length === 0) throw new CheckFailed('The GPU evidence lists no GPU.', seen);
  const checked: Awaited<ReturnType<typeof checkGpu>>[] = [];
  for (const gpu of [...gpus, ...switches]) checked.push(await checkGpu(gpu, nonce, roots, nowMs));
  const names = (pick: (each: (typeof checked)[number]) => string | null) => [
    ...new Set(checked.map(pick).filter((name) => name !== null)),
  ];
  const devices = new Set(checked.map(({ leaf }) => bytesToHex(leaf.subject)));
  if (devices.size < checked.length) throw new CheckFailed('The GPU evidence lists one GPU twice.', seen);
  return {
    established: true,
    evidence: {
      ...seen,
      devices: names(({ leaf }) => leaf.subjectText),
      drivers: names(({ driver }) => driver),
      notChecked: ['measurements against references', 'revocation'],
    },
  };
}

async function checkGpu(
  { certificate, evidence }: GpuEvidence,
  nonce: string,
  roots: readonly Certificate[],
  nowMs: number,
): Promise<SpdmMeasurements & { leaf: Certificate }> {
  const chain = parseDevicePem(bytesOf(certificate), CERTIFICATES_MAX);
  const root = rootOfChain(chain, roots);
  if (!root)
    throw new Untrusted(
      `The certificates of a GPU do not lead to NVIDIA's root; they end at ${chain.at(-1)?.subjectText ?? 'nothing'}.`,
    );
  const certificates = await verifyChain(chain, root);
  const leaf = certificates[0] as Certificate;
  verifyValidity(certificates, nowMs);
  verifyEndEntity(leaf);
  const measurements = readSpdmMeasurements(bytesOf(evidence));
  if (
    leaf.publicKey.curve !== 'P-384' ||
    !(await isSignedBy(leaf.publicKey, 'ecdsa-sha384', measurements.signedBytes, measurements.signature, 'compact'))
  )
    throw new Untrusted('The evidence of a GPU is not signed by that GPU.');
  if (bytesToHex(measurements.requestNonce) !== nonce.toLowerCase())
    throw new CheckFailed('A GPU did not sign the nonce that was sent.');
  return { ...measurements, leaf };
}

function bytesOf(text: string): Uint8Array {
  if (text.length > TEXT_MAX) throw new Malformed('The evidence of a GPU is too long.');
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The evidence of a GPU is not valid base64.');
  }
}
