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
/** Where SubjectPublicKeyInfo stands in a certificate of version 3 (RFC 5280, 4.1). */
const PUBLIC_KEY_FIELD = 6;

/**
 * SHA-256 of a certificate's SubjectPublicKeyInfo, by which keys of TLS are known.
 * @throws {Malformed}
 */
export function spkiFingerprint({ signedBytes }: Pick<Certificate, 'signedBytes'>): Uint8Array {
  return sha256(expectTag(childrenOf(readDer(signedBytes))[PUBLIC_KEY_FIELD], TAG.SEQUENCE).whole);
}

/**
 * Sees that a chain of certificates in PEM starts with one of this key, and that each is signed by the next. Who trusts
 * the last of them, a browser decides, not the enclave: only the key counts here.
 *
 * @param fingerprint SHA-256 of the SubjectPublicKeyInfo, hex
 * @throws {CheckFailed | Malformed | Untrusted}
 */
export async function checkTlsCertificate(pem: unknown, fingerprint: string): Promise<CheckResult<Certificate>> {
  const chain = parsePemCertificates(asString(pem, 'tls_certificate'), CHAIN_MAX);
  const [leaf] = chain;
  if (leaf === undefined) throw new CheckFailed('There is no certificate.');
  const found = bytesToHex(spkiFingerprint(leaf));
  const evidence = { subject: leaf.subjectText, found, bound: fingerprint.toLowerCase() };
  if (found !== fingerprint.toLowerCase())
    throw new CheckFailed('The certificate of the connection has another key than the quote speaks for.', evidence);
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (issuer) await verifySigned(certificate, issuer);
  }
  return { established: leaf, evidence };
}

/** Reads a certificate that signs itself, as an enclave makes one. @throws {Malformed | Untrusted} */
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
