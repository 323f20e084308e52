import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { AmdAuthority, AmdProduct } from '@/lib/protocol/attestation/sev-snp/amd-authorities';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { issueCertificate, issueRevocationList } from '../hardware/certificate-authority';
import { der, integer } from '../hardware/der-writer';

const AMD = '1.3.6.1.4.1.3704.1';
const YEAR_MS = 365 * 86_400_000;
const RSA_BITS = 2_048;

/** TCB levels of a chip's components, as its certificate lists them. A report's encoding depends on the product. */
export interface SnpLevels {
  fmc: number;
  bootLoader: number;
  tee: number;
  snp: number;
  microcode: number;
}

export interface SnpChip {
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
  /** Issues a revocation list of the root. Serial numbers are in hex. */
  revocationList: (revoked: readonly string[], thisUpdateMs: number, nextUpdateMs: number) => Buffer;
}

export const SNP_CHIP: SnpChip = {
  product: 'Genoa',
  levels: { fmc: 1, bootLoader: 10, tee: 0, snp: 0x17, microcode: 0x54 },
  chipId: Buffer.alloc(64, 0xc1),
};

/** Makes a chip with certificates in AMD's format, under a root whose name says SIMULATED. */
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

/** Builds the chip's certificate extensions. Since Turin, a chip id has 8 bytes and there is one more TCB level. */
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
