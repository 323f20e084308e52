import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import type { Certificate } from './certificate';
import type { RevocationList } from './revocation-list';
import { isSignedBy } from './signature-algorithm';

/** Thrown if a certificate chain or a revocation list is not trusted. */
export class Untrusted extends Error {
  override readonly name = 'Untrusted';
}

/**
 * Verifies that each certificate is issued and signed by the next, and that the last is the root. Every issuer must be
 * allowed to sign certificates. Does not check validity or revocation, or whether the leaf is a CA.
 *
 * @param chain certificates, leaf first; the root may be missing
 * @returns chain with the root at its end
 * @throws {Untrusted}
 */
export async function verifyChain(chain: readonly Certificate[], root: Certificate): Promise<Certificate[]> {
  const below = isSame(chain.at(-1), root) ? chain.slice(0, -1) : [...chain];
  if (below.length === 0) throw new Untrusted('The chain is empty.');
  const whole = [...below, root];
  for (const [index, certificate] of below.entries())
    await verifyIssued(certificate, whole[index + 1] as Certificate, index);
  return whole;
}

/** Finds a chain's root by its issuer name, without verifying the chain. */
export function rootOfChain(chain: readonly Certificate[], roots: readonly Certificate[]): Certificate | undefined {
  const last = chain.at(-1);
  return (
    last &&
    (roots.find((root) => isSame(last, root)) ??
      roots.find((root) => sameBytes(last.issuer, root.subject) && !sameBytes(last.issuer, last.subject)))
  );
}

/**
 * Verifies that all certificates are valid at `nowMs`.
 *
 * @throws {Untrusted} naming the certificate
 */
export function verifyValidity(certificates: readonly Certificate[], nowMs: number): void {
  for (const { subjectText, notBeforeMs, notAfterMs } of certificates) {
    if (nowMs < notBeforeMs)
      throw new Untrusted(`${subjectText} is not valid before ${new Date(notBeforeMs).toISOString()}.`);
    if (nowMs > notAfterMs) throw new Untrusted(`${subjectText} expired at ${new Date(notAfterMs).toISOString()}.`);
  }
}

/**
 * Verifies a revocation list's issuer, signature and dates.
 *
 * @throws {Untrusted}
 */
export async function verifyRevocationList(list: RevocationList, issuer: Certificate, nowMs: number): Promise<void> {
  if (!sameBytes(list.issuer, issuer.subject))
    throw new Untrusted(`The revocation list of ${issuer.subjectText} was issued by ${list.issuerText}.`);
  if (issuer.keyUsage?.revocationLists === false)
    throw new Untrusted(`${issuer.subjectText} is not allowed to sign revocation lists.`);
  if (!(await isSignedBy(issuer.publicKey, list.signatureAlgorithm, list.signedBytes, list.signature, 'der')))
    throw new Untrusted(`The revocation list of ${issuer.subjectText} is not signed by this authority.`);
  if (nowMs < list.thisUpdateMs)
    throw new Untrusted(`The revocation list of ${issuer.subjectText} is from the future.`);
  if (nowMs > list.nextUpdateMs)
    throw new Untrusted(
      `The revocation list of ${issuer.subjectText} expired at ${new Date(list.nextUpdateMs).toISOString()}.`,
    );
}

/** Refuses a revoked certificate. @throws {Untrusted} */
export function verifyNotRevoked(certificate: Certificate, list: RevocationList): void {
  if (!sameBytes(certificate.issuer, list.issuer))
    throw new Untrusted(`The revocation list for ${certificate.subjectText} is missing.`);
  if (list.revoked.has(certificate.serial)) throw new Untrusted(`${certificate.subjectText} is revoked.`);
}

/** Refuses a CA, or a leaf without `digitalSignature`. @throws {Untrusted} */
export function verifyEndEntity({ isAuthority, keyUsage, subjectText }: Certificate): void {
  if (isAuthority || keyUsage?.digitalSignature !== true)
    throw new Untrusted(`${subjectText} is not allowed to sign as an end entity.`);
}

/** Compares bytes. Do not pass secrets: the comparison is not constant-time. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

async function verifyIssued(certificate: Certificate, issuer: Certificate, authoritiesBelow: number): Promise<void> {
  if (!sameBytes(certificate.issuer, issuer.subject))
    throw new Untrusted(
      `${certificate.subjectText} was issued by ${certificate.issuerText}, not by ${issuer.subjectText}.`,
    );
  if (!issuer.isAuthority || issuer.keyUsage?.certificates !== true)
    throw new Untrusted(`${issuer.subjectText} is not allowed to issue certificates.`);
  if (issuer.pathLengthMax !== null && authoritiesBelow > issuer.pathLengthMax)
    throw new Untrusted(`${issuer.subjectText} has more authorities below it than allowed.`);
  if (!(await isIssuedBy(certificate, issuer)))
    throw new Untrusted(`${certificate.subjectText} is not signed by ${issuer.subjectText}.`);
}

/** Cache of verified pairs of certificate and issuer. The GPUs of a machine share most of their chains. */
const held = new Set<string>();
const HELD_MAX = 512;

async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const pair = bytesToHex(sha256(concatBytes(sha256(certificate.der), sha256(issuer.der))));
  if (held.has(pair)) return true;
  if (
    !(await isSignedBy(
      issuer.publicKey,
      certificate.signatureAlgorithm,
      certificate.signedBytes,
      certificate.signature,
      'der',
    ))
  )
    return false;
  const [oldest] = held;
  if (held.size >= HELD_MAX && oldest !== undefined) held.delete(oldest);
  held.add(pair);
  return true;
}

function isSame(certificate: Certificate | undefined, root: Certificate): boolean {
  return certificate !== undefined && sameBytes(certificate.der, root.der);
}
