import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed, type CheckResult } from '../../tee/check-list';
import { asString } from '../../tee/json-shape';
import { type Certificate, parseCertificate } from '../../tee/x509/certificate';
import { sameBytes, Untrusted } from '../../tee/x509/chain';
import { childrenOf, expectTag, readDer, TAG } from '../../tee/x509/der';
import { parsePemCertificates } from '../../tee/x509/pem';
import { isSignedBy } from '../../tee/x509/signature-algorithm';

const CHAIN_MAX = 6;
/** Index of SubjectPublicKeyInfo in a version 3 certificate (RFC 5280, 4.1). */
const PUBLIC_KEY_FIELD = 6;

/**
 * Returns the SHA-256 of a certificate's SubjectPublicKeyInfo.
 *
 * @throws {Malformed}
 */
export function spkiFingerprint({ signedBytes }: Pick<Certificate, 'signedBytes'>): Uint8Array {
  return sha256(expectTag(childrenOf(readDer(signedBytes))[PUBLIC_KEY_FIELD], TAG.SEQUENCE).whole);
}

/**
 * Checks that a PEM chain starts with a certificate for this key, and that each certificate is signed by the next. The
 * browser checks the root.
 *
 * @param fingerprint SHA-256 of the SubjectPublicKeyInfo, hex
 * @throws {CheckFailed | Malformed | Untrusted}
 */
export async function checkTlsCertificate(pem: unknown, fingerprint: string): Promise<CheckResult<Certificate>> {
  const chain = parsePemCertificates(asString(pem, 'tls_certificate'), CHAIN_MAX);
  const [leaf] = chain;
  if (leaf === undefined) throw new CheckFailed('The report has no certificate.');
  const found = bytesToHex(spkiFingerprint(leaf));
  const evidence = { subject: leaf.subjectText, found, bound: fingerprint.toLowerCase() };
  if (found !== fingerprint.toLowerCase())
    throw new CheckFailed('The key of the connection certificate is not the key in the quote.', evidence);
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (issuer) await verifySigned(certificate, issuer);
  }
  return { established: leaf, evidence };
}

/** Verifies an enclave's self-signed certificate. @throws {Malformed | Untrusted} */
export async function verifySelfSigned(der: Uint8Array): Promise<Certificate> {
  const certificate = parseCertificate(der);
  await verifySigned(certificate, certificate);
  return certificate;
}

async function verifySigned(certificate: Certificate, issuer: Certificate): Promise<void> {
  const isIssued =
    sameBytes(certificate.issuer, issuer.subject) &&
    (await isSignedBy(
      issuer.publicKey,
      certificate.signatureAlgorithm,
      certificate.signedBytes,
      certificate.signature,
      'der',
    ));
  if (!isIssued) throw new Untrusted(`${certificate.subjectText} is not signed by ${issuer.subjectText}.`);
}
