import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { issueCertificate, pemOf } from '../hardware/certificate-authority';
import { makeQuote } from '../hardware/quote';
import { measureBoot } from '../measured-boot';
import { type SnpPlatform, writeSnpReport } from '../sev-snp/snp-platform';
import { keptOr, type SimulatedMachine } from './simulated-reports';

/** Content of a simulated document. The defaults describe an enclave that passes all checks. */
export interface TinfoilDocumentRequest {
  /** Makes the processor's evidence for 64 bytes of report data. */
  evidence: (reportData: Buffer) => ProcessorEvidence;
  /** Lower-case hex. */
  nonce: string;
  hpkeKey: string;
  nowMs: number;
  /** JSON text, inserted into the document unchanged. */
  gpu?: string;
  switches?: string;
  /** Wrong hash to state instead of the hash of `switches`. */
  switchHash?: string;
  tlsKey?: { privateKey: KeyObject; publicKey: KeyObject };
  collateral?: object;
}

interface ProcessorEvidence {
  platform: 'tdx' | 'sev-snp';
  report: Buffer;
}

const YEAR_MS = 365 * 86_400_000;
const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Returns a function that makes the evidence of an SNP guest, signed by a simulated chip. */
export function snpEvidence(
  { chip, chipKey }: SnpPlatform,
  measurement: Uint8Array,
): TinfoilDocumentRequest['evidence'] {
  return (reportData) => ({ platform: 'sev-snp', report: writeSnpReport(chip, chipKey, { reportData, measurement }) });
}

/** Writes an attestation document in Tinfoil's version 3, signed by the processor and the TLS key. */
export function writeTinfoilDocument({
  evidence,
  nonce,
  hpkeKey,
  nowMs,
  gpu,
  switches,
  switchHash,
  collateral,
  tlsKey = generateKeyPairSync('ec', { namedCurve: 'P-384' }),
}: TinfoilDocumentRequest): string {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = issueCertificate({
    subject: { name: 'SIMULATED enclave', publicKey: tlsKey.publicKey },
    issuer: { name: 'SIMULATED web authority', privateKey: authority.privateKey },
    notBeforeMs: nowMs - YEAR_MS,
    notAfterMs: nowMs + YEAR_MS,
    pathLength: null,
  });
  const fingerprint = sha256(tlsKey.publicKey.export({ format: 'der', type: 'spki' }));
  const hashes = {
    gpu: gpu === undefined ? undefined : sha256(Buffer.from(gpu)).toString('hex'),
    switches: switchHash ?? (switches === undefined ? undefined : sha256(Buffer.from(switches)).toString('hex')),
  };
  const bound = [
    fingerprint,
    Buffer.from(hpkeKey, 'hex'),
    Buffer.from(nonce, 'hex'),
    ...[hashes.gpu, hashes.switches].flatMap((hash) => (hash === undefined ? [] : [Buffer.from(hash, 'hex')])),
  ];
  const { platform, report } = evidence(Buffer.concat([sha256(...bound)], 64));
  const data = {
    tls_key_fp: fingerprint.toString('hex'),
    hpke_key: hpkeKey,
    nonce,
    gpu_evidence_hash: hashes.gpu,
    nvswitch_evidence_hash: hashes.switches,
  };
  const parts = [
    `"format":"https://tinfoil.sh/predicate/attestation/v3"`,
    `"report_data":${JSON.stringify(data)}`,
    `"cpu":${JSON.stringify({ platform, report: report.toString('base64') })}`,
    ...(gpu === undefined ? [] : [`"gpu":${gpu}`]),
    ...(switches === undefined ? [] : [`"nvswitch":${switches}`]),
    ...(collateral === undefined ? [] : [`"collateral":${JSON.stringify(collateral)}`]),
    `"certificate":${JSON.stringify(pemOf(certificate))}`,
  ];
  const document = (signature: string) => `{${parts.join(',')},"signature":"${signature}"}`;
  return `${document(sign('sha256', Buffer.from(document('')), tlsKey.privateKey).toString('base64'))}\n`;
}

const MEASUREMENT_BYTES = 48;
/** Kernel command line. The `tinfoil-config-hash` identifies the configuration that the machine runs. */
const COMMAND_LINE = `SIMULATED tinfoil-config-hash=${'ab'.repeat(32)}`;

interface TinfoilRequest {
  nonce: Uint8Array;
  hpkeKey: Uint8Array;
  collateral: object;
}

/** Makes Tinfoil's document for a simulated Intel trust domain without GPUs, such as a router. */
export function tinfoilReport(machine: SimulatedMachine, { nonce, hpkeKey, collateral }: TinfoilRequest): string {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const tlsKey = keptOr(machine, 'tinfoil TLS', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }));
  return writeTinfoilDocument({
    evidence: (reportData) => ({ platform: 'tdx', report: quoteOf(machine, reportData) }),
    nonce: hex(nonce),
    hpkeKey: hex(hpkeKey),
    nowMs: machine.nowMs,
    tlsKey,
    collateral,
  });
}

function quoteOf({ platform, form = '4', attributes }: SimulatedMachine, reportData: Buffer): Buffer {
  const { mrTd, rtMrs } = measureBoot('');
  const commandLine = createHash('sha384').update(COMMAND_LINE).digest();
  const zeros = Buffer.alloc(MEASUREMENT_BYTES);
  return makeQuote(
    platform,
    {
      mrTd,
      mrConfigId: zeros,
      rtMrs: [rtMrs[0], rtMrs[1], commandLine, zeros],
      reportData,
      ...(attributes !== undefined && { attributes }),
    },
    form,
  );
}
