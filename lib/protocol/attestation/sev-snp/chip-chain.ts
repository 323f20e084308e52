import { expectTag, readDer, smallIntegerOf, TAG } from '../../tee/x509/der';
import { CheckFailed, type CheckResult, NotCheckable } from '../../tee/check-list';
import { Malformed } from '../../tee/malformed';
import type { TrustedRoot } from '../../tee/trusted-roots';
import { type Certificate, parseCertificate } from '../../tee/x509/certificate';
import { sameBytes, Untrusted, verifyChain, verifyNotRevoked, verifyRevocationList } from '../../tee/x509/chain';
import { parseRevocationList } from '../../tee/x509/revocation-list';
import type { AmdAuthority, AmdProduct } from './amd-authorities';
import type { SnpReport } from './snp-report';
import { type TcbLevels, tcbLevels } from './tcb-version';

interface CertifiedChip {
  /** Product name with or without a stepping, such as `Milan-B0` or `Genoa`. */
  product: string;
  levels: TcbLevels;
  /** 64 bytes before Turin, 8 bytes from Turin on. */
  hardwareId: Uint8Array;
}

/** AMD's certificate extensions (AMD 57230, table of the VCEK's extensions). */
const AMD = '1.3.6.1.4.1.3704.1';
const PRODUCT_NAME = `${AMD}.2`;
const LEVELS: Readonly<Record<'before-turin' | 'turin', Readonly<Partial<Record<keyof TcbLevels, string>>>>> = {
  'before-turin': { bootLoader: `${AMD}.3.1`, tee: `${AMD}.3.2`, snp: `${AMD}.3.3`, microcode: `${AMD}.3.8` },
  turin: { fmc: `${AMD}.3.9`, bootLoader: `${AMD}.3.1`, tee: `${AMD}.3.2`, snp: `${AMD}.3.3`, microcode: `${AMD}.3.8` },
};
const HARDWARE_ID = `${AMD}.4`;
const LEVEL_MAX = 255;
const IA5_STRING = 0x16;

function readCertifiedChip({ extensions }: Certificate, product: AmdProduct): CertifiedChip {
  const valueOf = (oid: string): Uint8Array => {
    const extension = extensions.get(oid);
    if (!extension) throw new Malformed(`The certificate of the chip lacks the extension ${oid}.`);
    return extension.value;
  };
  const level = (oid: string): number => {
    const value = smallIntegerOf(readDer(valueOf(oid), TAG.INTEGER));
    if (value > LEVEL_MAX) throw new Malformed(`The extension ${oid} is not a version level.`);
    return value;
  };
  const name = expectTag(readDer(valueOf(PRODUCT_NAME), IA5_STRING), IA5_STRING).content;
  const levels = Object.entries(LEVELS[product === 'Turin' ? 'turin' : 'before-turin']).map(([part, oid]) => [
    part,
    level(oid),
  ]);
  return {
    product: String.fromCharCode(...name.subarray(0, 40)),
    levels: Object.fromEntries(levels) as TcbLevels,
    hardwareId: hardwareIdOf(valueOf(HARDWARE_ID)),
  };
}

/** Some of AMD's certificates wrap the id in an OCTET STRING. */
function hardwareIdOf(value: Uint8Array): Uint8Array {
  if (value.length === 64 || value.length === 8) return value;
  return readDer(value, TAG.OCTET_STRING).content;
}

/** Chip key that a trusted AMD root certified. Validity period and revocation are not checked yet. */
export interface TrustedChip {
  authority: AmdAuthority;
  certificate: Certificate;
  /** ASK certificate. The ASK certified the chip key. */
  signingKey: Certificate;
  root: TrustedRoot;
  chip: CertifiedChip;
}

const CERTIFICATES_MAX = 64;
/** Product line by CPU family and model (AMD 57230, and AMD's processor programming references). */
const MODELS = [
  { family: 0x19, from: 0x00, to: 0x0f, product: 'Milan' },
  { family: 0x19, from: 0x10, to: 0x1f, product: 'Genoa' },
  { family: 0x19, from: 0xa0, to: 0xaf, product: 'Genoa' },
  { family: 0x1a, from: 0x00, to: 0x1f, product: 'Turin' },
] as const;

/**
 * Finds the VCEK certificate of a report's chip and verifies its chain: VCEK, ASK, ARK. The ASK is the pinned
 * certificate, or a supplied certificate under the pinned root.
 *
 * @throws {NotCheckable} if the VCEK certificate is missing, or a VLEK signed the report; {CheckFailed | Untrusted |
 *   Malformed}
 */
export async function followChip(
  report: SnpReport,
  certificates: readonly Uint8Array[],
  authorities: readonly AmdAuthority[],
): Promise<TrustedChip> {
  if (report.signingKey === 'none') throw new CheckFailed('The report is not signed by any key of the chip.');
  if (report.signingKey === 'vlek')
    throw new NotCheckable(
      "The report is signed with a key that AMD leases to the provider (VLEK). Only the chip's own key (VCEK) is accepted.",
    );
  if (certificates.length > CERTIFICATES_MAX)
    throw new CheckFailed(
      `The report has ${certificates.length} AMD certificates; at most ${CERTIFICATES_MAX} are allowed.`,
    );
  const read = certificates.map((der) => parseCertificate(der));
  const named = read.flatMap((certificate) => {
    const authority = authorities.find(({ signingKey }) => sameBytes(certificate.issuer, signingKey.subject));
    return authority ? [{ certificate, authority }] : [];
  });
  if (named.length === 0)
    throw new NotCheckable(
      "The certificate of the chip's key (VCEK) is missing, or the root of the product is not pinned.",
    );
  const chips = named.map((each) => ({ ...each, chip: readCertifiedChip(each.certificate, each.authority.product) }));
  // The supplied certificates may belong to several machines and firmware levels.
  const found =
    chips.find(({ chip, authority }) => isOfChip(chip, report) && isOfLevels(chip, report, authority.product)) ??
    chips.find(({ chip }) => isOfChip(chip, report)) ??
    (chips[0] as (typeof chips)[number]);
  const { certificate, authority, chip } = found;
  const given = read.find(
    (each) =>
      sameBytes(each.subject, authority.signingKey.subject) &&
      sameBytes(each.issuer, authority.root.certificate.subject),
  );
  const signingKey = given ?? authority.signingKey;
  for (const each of read) assertOfAmd(each, authorities);
  if (certificate.isAuthority) throw new Untrusted(`${certificate.subjectText} is not allowed to sign as a chip.`);
  await verifyChain([certificate, signingKey], authority.root.certificate);
  return { authority, certificate, signingKey, root: authority.root, chip };
}

/**
 * Asserts that a supplied certificate belongs to a trusted authority. A forged ASK or ARK fails even if a pinned
 * certificate could replace it.
 *
 * @throws {Untrusted}
 */
function assertOfAmd({ der, issuer, subject, subjectText }: Certificate, authorities: readonly AmdAuthority[]): void {
  const isChip = authorities.some(({ signingKey }) => sameBytes(issuer, signingKey.subject));
  const isSigningKey = authorities.some(
    ({ root, signingKey }) => sameBytes(issuer, root.certificate.subject) && sameBytes(subject, signingKey.subject),
  );
  const isRoot = authorities.some(({ root }) => sameBytes(der, root.certificate.der));
  if (!isChip && !isSigningKey && !isRoot)
    throw new Untrusted(
      `${subjectText} was sent with the certificate of the chip, but does not lead to a trusted root.`,
    );
}

/**
 * Asserts that the certificate is for the report's chip and product.
 *
 * @throws {CheckFailed}
 */
export function assertOfChip({ authority, chip }: TrustedChip, report: SnpReport): void {
  if (report.chipId.every((byte) => byte === 0))
    throw new CheckFailed('The report hides the id of its chip, so its chip cannot be checked.');
  if (!isOfChip(chip, report)) throw new CheckFailed('The certificate and the report belong to different chips.');
  if (chip.product !== authority.product && !chip.product.startsWith(`${authority.product}-`))
    throw new CheckFailed(
      `The certificate is for ${JSON.stringify(chip.product)}, but its root is for ${authority.product}.`,
    );
  const { cpuid } = report;
  const product =
    cpuid &&
    (MODELS.find(({ family, from, to }) => cpuid.family === family && cpuid.model >= from && cpuid.model <= to)
      ?.product ??
      null);
  if (cpuid && product !== authority.product)
    throw new CheckFailed(
      `The report is from a processor of family ${cpuid.family} and model ${cpuid.model}, which is not a ${authority.product}.`,
    );
}

/**
 * Checks that AMD's revocation list does not contain the ASK. Without a list, only the pinned ASK passes.
 *
 * @throws {CheckFailed | Untrusted | Malformed}
 */
export async function checkNotRevoked(
  { authority, signingKey, root }: TrustedChip,
  lists: readonly Uint8Array[],
  nowMs: number,
): Promise<CheckResult<true>> {
  const isPinned = sameBytes(signingKey.der, authority.signingKey.der);
  const list = lists
    .map((der) => parseRevocationList(der))
    .find(({ issuer }) => sameBytes(issuer, root.certificate.subject));
  if (!list) {
    if (!isPinned)
      throw new CheckFailed(
        `${signingKey.subjectText} is not the pinned certificate, and no revocation list covers it.`,
      );
    return {
      established: true,
      evidence: { signingKey: 'pinned', notChecked: ["AMD's revocation list, which is missing"] },
    };
  }
  await verifyRevocationList(list, root.certificate, nowMs);
  verifyNotRevoked(signingKey, list);
  return {
    established: true,
    evidence: {
      signingKey: isPinned ? 'pinned' : 'certified',
      list: `${list.revoked.size} revoked, until ${new Date(list.nextUpdateMs).toISOString()}`,
    },
  };
}

/** Compares the chip ids. Since Turin, a certificate has only the first 8 bytes of the report's id. */
function isOfChip({ hardwareId }: CertifiedChip, { chipId }: SnpReport): boolean {
  return sameBytes(hardwareId, chipId.subarray(0, hardwareId.length));
}

function isOfLevels({ levels }: CertifiedChip, { reportedTcb }: SnpReport, product: AmdProduct): boolean {
  const reported = tcbLevels(reportedTcb, product);
  return (Object.keys(levels) as (keyof typeof levels)[]).every((part) => levels[part] === reported[part]);
}
