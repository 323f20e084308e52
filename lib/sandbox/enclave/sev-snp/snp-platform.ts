import type { AmdAuthority, AmdProduct } from '@/lib/protocol/attestation/sev-snp/amd-authorities';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { issueCertificate, issueRevocationList } from '../hardware/certificate-authority';
import { der, integer } from '../hardware/der-writer';

const AMD = '1.3.6.1.4.1.3704.1';
const YEAR_MS = 365 * 86_400_000;
const RSA_BITS = 2_048;

/** TCB levels of a chip's components, listed in its certificate. Their encoding in a report depends on the product. */
interface SnpLevels {
  fmc: number;
  bootLoader: number;
  tee: number;
  snp: number;
  microcode: number;
}

interface SnpChip {
  product: AmdProduct;
  levels: SnpLevels;
  chipId: Buffer;
}

export interface SnpPlatform {
  chip: SnpChip;
  /** The chip's VCEK key, on P-384. */
  chipKey: KeyObject;
  /** Certificates in DER. */
  vcek: Buffer;
  ask: Buffer;
  ark: Buffer;
  /** Authority, marked as simulated, that a verifier must trust to accept this platform's reports. */
  authority: AmdAuthority;
  certify: (
    change?: Partial<SnpChip> & { notBeforeMs?: number; notAfterMs?: number; publicKey?: KeyObject; name?: string },
  ) => Buffer;
  /** Issues the root's revocation list. Serial numbers are in hex. */
  revocationList: (revoked: readonly string[], thisUpdateMs: number, nextUpdateMs: number) => Buffer;
}

export const SNP_CHIP: SnpChip = {
  product: 'Genoa',
  levels: { fmc: 1, bootLoader: 10, tee: 0, snp: 0x17, microcode: 0x54 },
  chipId: Buffer.alloc(64, 0xc1),
};

/** Makes a chip with certificates in AMD's format, under a root whose name contains SIMULATED. */
export function createSnpPlatform(nowMs: number, chip: SnpChip = SNP_CHIP): SnpPlatform {
  const [root, signer] = [rsaKey(), rsaKey()];
  const key = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const names = {
    ark: `SIMULATED ARK-${chip.product}`,
    ask: `SIMULATED SEV-${chip.product}`,
    vcek: 'SIMULATED SEV-VCEK',
  };
  const lifetime = { notBeforeMs: nowMs - YEAR_MS, notAfterMs: nowMs + 10 * YEAR_MS };
  const arkIssuer = { name: names.ark, privateKey: root.privateKey };
  const ark = issueCertificate({
    subject: { name: names.ark, publicKey: root.publicKey },
    issuer: arkIssuer,
    ...lifetime,
    pathLength: 1,
  });
  const ask = issueCertificate({
    subject: { name: names.ask, publicKey: signer.publicKey },
    issuer: arkIssuer,
    ...lifetime,
    pathLength: 0,
  });
  const certify: SnpPlatform['certify'] = ({
    notBeforeMs = lifetime.notBeforeMs,
    notAfterMs = lifetime.notAfterMs,
    publicKey = key.publicKey,
    name = names.vcek,
    ...change
  } = {}) =>
    issueCertificate({
      subject: { name, publicKey },
      issuer: { name: names.ask, privateKey: signer.privateKey },
      notBeforeMs,
      notAfterMs,
      pathLength: null,
      extensions: chipExtensions({ ...chip, ...change }),
    });
  return {
    chip,
    chipKey: key.privateKey,
    vcek: certify(),
    ask,
    ark,
    authority: { product: chip.product, root: configuredRoot(ark, true), signingKey: parseCertificate(ask) },
    certify,
    revocationList: (revoked, thisUpdateMs, nextUpdateMs) =>
      issueRevocationList({ issuer: arkIssuer, revoked, thisUpdateMs, nextUpdateMs }),
  };
}

function rsaKey() {
  return generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
}

/** Since Turin, a chip id has 8 bytes and there is one more TCB level. */
function chipExtensions({ product, levels, chipId }: SnpChip): Record<string, Buffer> {
  const isTurin = product === 'Turin';
  return {
    [`${AMD}.2`]: der(0x16, Buffer.from(product)),
    [`${AMD}.3.1`]: integer(levels.bootLoader),
    [`${AMD}.3.2`]: integer(levels.tee),
    [`${AMD}.3.3`]: integer(levels.snp),
    [`${AMD}.3.8`]: integer(levels.microcode),
    ...(isTurin ? { [`${AMD}.3.9`]: integer(levels.fmc) } : {}),
    [`${AMD}.4`]: isTurin ? chipId.subarray(0, 8) : chipId,
  };
}

/** Content of a simulated report. The defaults describe a guest that passes all checks. */
export interface SnpReportContent {
  reportData: Uint8Array;
  measurement: Uint8Array;
  version?: number;
  policy?: bigint;
  vmpl?: number;
  signatureAlgorithm?: number;
  /** 0: VCEK, the chip's own key; 1: VLEK, a leased key; 7: unsigned. */
  signingKey?: number;
  chipId?: Uint8Array;
  cpuid?: readonly [family: number, model: number, stepping: number];
  reported?: SnpLevels;
  committed?: SnpLevels;
  current?: SnpLevels;
  launched?: SnpLevels;
}

const REPORT_BYTES = 1_184;
const SIGNED_BYTES = 0x2a0;
const SCALAR_BYTES = 48;
const SCALAR_FIELD_BYTES = 72;
const SMT_ALLOWED = 0x30000n;
const CPUID = { Milan: [0x19, 0x01, 1], Genoa: [0x19, 0x11, 1], Turin: [0x1a, 0x02, 1] } as const;

/** Writes an attestation report and signs it with a chip's key (AMD 56860, table "ATTESTATION_REPORT Structure"). */
export function writeSnpReport(chip: SnpChip, key: KeyObject, content: SnpReportContent): Buffer {
  const report = Buffer.alloc(REPORT_BYTES);
  const levels = (own: SnpLevels | undefined) => tcbVersion(chip, own ?? chip.levels);
  report.writeUInt32LE(content.version ?? 3, 0);
  report.writeBigUInt64LE(content.policy ?? SMT_ALLOWED, 0x08);
  report.writeUInt32LE(content.vmpl ?? 0, 0x30);
  report.writeUInt32LE(content.signatureAlgorithm ?? 1, 0x34);
  levels(content.current).copy(report, 0x38);
  report.writeUInt32LE((content.signingKey ?? 0) << 2, 0x48);
  report.set(content.reportData, 0x50);
  report.set(content.measurement, 0x90);
  levels(content.reported).copy(report, 0x180);
  if ((content.version ?? 3) >= 3) report.set(content.cpuid ?? CPUID[chip.product], 0x188);
  report.set(
    content.chipId ?? (chip.product === 'Turin' ? Buffer.concat([chip.chipId.subarray(0, 8)], 64) : chip.chipId),
    0x1a0,
  );
  levels(content.committed).copy(report, 0x1e0);
  report.set([40, 55, 1], 0x1e8);
  levels(content.launched).copy(report, 0x1f0);
  const signature = sign('sha384', report.subarray(0, SIGNED_BYTES), { key, dsaEncoding: 'ieee-p1363' });
  Buffer.from(signature.subarray(0, SCALAR_BYTES)).reverse().copy(report, SIGNED_BYTES);
  Buffer.from(signature.subarray(SCALAR_BYTES))
    .reverse()
    .copy(report, SIGNED_BYTES + SCALAR_FIELD_BYTES);
  return report;
}

function tcbVersion({ product }: SnpChip, { fmc, bootLoader, tee, snp, microcode }: SnpLevels): Buffer {
  return product === 'Turin'
    ? Buffer.of(fmc, bootLoader, tee, snp, 0, 0, 0, microcode)
    : Buffer.of(bootLoader, tee, 0, 0, 0, 0, snp, microcode);
}
