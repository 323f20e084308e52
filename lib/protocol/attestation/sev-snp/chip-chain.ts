import { CheckFailed, type CheckResult, NotCheckable } from '../../tee/check-list';
import type { TrustedRoot } from '../../tee/trusted-roots';
import { type Certificate, parseCertificate } from '../../tee/x509/certificate';
import { sameBytes, Untrusted, verifyChain, verifyNotRevoked, verifyRevocationList } from '../../tee/x509/chain';
import { parseRevocationList } from '../../tee/x509/revocation-list';
import type { AmdAuthority, AmdProduct } from './amd-authorities';
import { type CertifiedChip, readCertifiedChip } from './chip-certificate';
import type { SnpReport } from './snp-report';
import { tcbLevels } from './tcb-version';

/** A chip's key that is certified under a trusted root of AMD's. Times and revocation still have to be checked. */
export interface TrustedChip {
  authority: AmdAuthority;
  certificate: Certificate;
  /** The key that signs those of chips, and the root. */
  signingKey: Certificate;
  root: TrustedRoot;
  chip: CertifiedChip;
}

const CERTIFICATES_MAX = 64;
/** Product line by family and model of the processor (AMD 57230, and AMD's processor programming references). */
const MODELS = [
  { family: 0x19, from: 0x00, to: 0x0f, product: 'Milan' },
  { family: 0x19, from: 0x10, to: 0x1f, product: 'Genoa' },
  { family: 0x19, from: 0xa0, to: 0xaf, product: 'Genoa' },
  { family: 0x1a, from: 0x00, to: 0x1f, product: 'Turin' },
] as const;

/**
 * Finds, among the certificates that came along, the one of the chip that a report names, and follows it to AMD's root:
 * VCEK, ASK, ARK. The ASK is the pinned one, or another that came along and that the pinned root has signed.
 *
 * @throws {NotCheckable} where the chip's certificate is not there; {CheckFailed | Untrusted | Malformed}
 */
export async function followChip(
  report: SnpReport,
  certificates: readonly Uint8Array[],
  authorities: readonly AmdAuthority[],
): Promise<TrustedChip> {
  if (report.signingKey === 'none') throw new CheckFailed('The report is not signed by any key of the chip.');
  if (report.signingKey === 'vlek')
    throw new NotCheckable(
      "The report is signed with a key that AMD leases to the provider (VLEK); the chip's own is asked for here.",
    );
  if (certificates.length > CERTIFICATES_MAX)
    throw new CheckFailed(`There are ${certificates.length} certificates of AMD's, more than any report takes.`);
  const read = certificates.map((der) => parseCertificate(der));
  const named = read.flatMap((certificate) => {
    const authority = authorities.find(({ signingKey }) => sameBytes(certificate.issuer, signingKey.subject));
    return authority ? [{ certificate, authority }] : [];
  });
  if (named.length === 0)
    throw new NotCheckable(
      "The certificate of the chip's key (VCEK) is not there, or is of a product whose root is not pinned here.",
    );
  const chips = named.map((each) => ({ ...each, chip: readCertifiedChip(each.certificate, each.authority.product) }));
  // The pool may hold the certificates of several machines, and of one machine at several levels of its firmware.
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
  if (certificate.isAuthority) throw new Untrusted(`${certificate.subjectText} may not sign as a chip.`);
  await verifyChain([certificate, signingKey], authority.root.certificate);
  return { authority, certificate, signingKey, root: authority.root, chip };
}

/**
 * Sees that what came along beside the certificate of the chip is of the same authorities, so that a chain of which a part
 * was exchanged is refused and not passed over for what is pinned here.
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
    throw new Untrusted(`${subjectText} came along with the certificate of the chip, and is of no trusted root.`);
}

/** Sees that a certificate is of the chip that the report names, and of its product. @throws {CheckFailed} */
export function assertOfChip({ authority, chip }: TrustedChip, report: SnpReport): void {
  if (report.chipId.every((byte) => byte === 0))
    throw new CheckFailed('The report hides the id of its chip, so that nothing ties it to one.');
  if (!isOfChip(chip, report)) throw new CheckFailed('The certificate is of another chip than the report.');
  if (chip.product !== authority.product && !chip.product.startsWith(`${authority.product}-`))
    throw new CheckFailed(
      `The certificate is of ${JSON.stringify(chip.product)} under the root of ${authority.product}.`,
    );
  const { cpuid } = report;
  const product =
    cpuid &&
    (MODELS.find(({ family, from, to }) => cpuid.family === family && cpuid.model >= from && cpuid.model <= to)
      ?.product ??
      null);
  if (cpuid && product !== authority.product)
    throw new CheckFailed(
      `The report is of a processor of family ${cpuid.family} and model ${cpuid.model}, which is none of ${authority.product}.`,
    );
}

/**
 * Sees that AMD has not revoked the key that signs those of chips, by AMD's list where one came along. Without a list
 * only the key that is pinned counts; what a list would say is then not known.
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
        `${signingKey.subjectText} is another than the pinned one, and no list says that it is not revoked.`,
      );
    return {
      established: true,
      evidence: { signingKey: 'pinned', notChecked: ["AMD's revocation list, which did not come along"] },
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

/** From Turin on the id is the first 8 bytes of the report's. */
function isOfChip({ hardwareId }: CertifiedChip, { chipId }: SnpReport): boolean {
  return sameBytes(hardwareId, chipId.subarray(0, hardwareId.length));
}

function isOfLevels({ levels }: CertifiedChip, { reportedTcb }: SnpReport, product: AmdProduct): boolean {
  const reported = tcbLevels(reportedTcb, product);
  return (Object.keys(levels) as (keyof typeof levels)[]).every((part) => levels[part] === reported[part]);
}
