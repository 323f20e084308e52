import { base64 } from '@scure/base';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { AttestationReport } from '../attestation-report';
import { CheckFailed, type CheckResult, NotCheckable } from '../check-list';
import { Malformed } from '../malformed';
import type { Certificate } from '../x509/certificate';
import { rootOfChain, Untrusted, verifyChain, verifyEndEntity, verifyValidity } from '../x509/chain';
import { parseDevicePem } from '../x509/pem';
import { isSignedBy } from '../x509/signature-algorithm';
import { type GpuEvidence, readNvidiaPayload } from './nvidia-payload';
import { readSpdmMeasurements, type SpdmMeasurements } from './spdm-measurements';

/** GPU generations whose evidence can be verified. */
const ARCHITECTURES: readonly string[] = ['HOPPER', 'BLACKWELL'];
const CERTIFICATES_MAX = 6;
const TEXT_MAX = 65_536;

/**
 * Checks GPU evidence without NVIDIA's service. Each GPU's key, certified under NVIDIA's pinned root, must have signed
 * measurements with this nonce. Does not check reference values and revocation.
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
    throw new CheckFailed('A GPU signed a different nonce than was sent.');
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
