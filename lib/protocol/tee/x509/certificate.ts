import { Malformed } from '../malformed';
import { childrenOf, expectTag, readDer, TAG } from './der';
import { serialOf, smallIntegerOf, timeOf, wholeBitsOf } from './der-values';
import { EXTENSION, type Extensions, readBasicConstraints, readExtensions, readKeyUsage } from './extensions';
import { nameText } from './name';
import { type PublicKey, readPublicKey, readSignatureAlgorithm, type SignatureAlgorithm } from './signature-algorithm';

/** X.509 v3 certificate (RFC 5280), parsed but not verified. */
export interface Certificate {
  der: Uint8Array;
  signedBytes: Uint8Array;
  signatureAlgorithm: SignatureAlgorithm;
  signature: Uint8Array;
  /** Lower-case hex. */
  serial: string;
  /** Encoded name, for comparison. */
  issuer: Uint8Array;
  subject: Uint8Array;
  issuerText: string;
  subjectText: string;
  /** Unix milliseconds. `notBeforeMs` and `notAfterMs` are inclusive. */
  notBeforeMs: number;
  notAfterMs: number;
  publicKey: PublicKey;
  /** DER bytes. A key's fingerprint is the hash of these bytes. */
  subjectPublicKeyInfo: Uint8Array;
  extensions: Extensions;
  isAuthority: boolean;
  pathLengthMax: number | null;
  keyUsage: { digitalSignature: boolean; certificates: boolean; revocationLists: boolean } | null;
}

const VERSION_3 = 2;
const EXPLICIT_0 = 0xa0;
const EXPLICIT_3 = 0xa3;
const UNDERSTOOD = Object.values(EXTENSION);

/**
 * @param alsoUnderstood object identifiers of critical extensions that the caller handles
 * @throws {Malformed} also for an unsupported version, algorithm or critical extension
 */
export function parseCertificate(der: Uint8Array, alsoUnderstood: readonly string[] = []): Certificate {
  const parts = childrenOf(readDer(der));
  const [tbs, algorithm, signature] = parts;
  if (parts.length !== 3) throw new Malformed('A certificate has three parts.');
  const fields = childrenOf(expectTag(tbs, TAG.SEQUENCE));
  const [version, serial, innerAlgorithm, issuer, validity, subject, publicKey, extensionList] = fields;
  if (fields.length !== 8) throw new Malformed('The certificate is not of version 3 with extensions.');
  if (smallIntegerOf(childrenOf(expectTag(version, EXPLICIT_0))[0]) !== VERSION_3)
    throw new Malformed('The certificate is not of version 3.');
  const signatureAlgorithm = readSignatureAlgorithm(algorithm);
  if (readSignatureAlgorithm(innerAlgorithm) !== signatureAlgorithm)
    throw new Malformed('The certificate names two signature algorithms.');
  const [notBefore, notAfter] = childrenOf(expectTag(validity, TAG.SEQUENCE));
  const extensions = readExtensions(only(childrenOf(expectTag(extensionList, EXPLICIT_3))), [
    ...UNDERSTOOD,
    ...alsoUnderstood,
  ]);
  const issuerElement = expectTag(issuer, TAG.SEQUENCE);
  const subjectElement = expectTag(subject, TAG.SEQUENCE);
  return {
    der,
    signedBytes: expectTag(tbs, TAG.SEQUENCE).whole,
    signatureAlgorithm,
    signature: wholeBitsOf(signature),
    serial: serialOf(serial),
    issuer: issuerElement.whole,
    subject: subjectElement.whole,
    issuerText: nameText(issuerElement),
    subjectText: nameText(subjectElement),
    notBeforeMs: timeOf(notBefore),
    notAfterMs: timeOf(notAfter),
    publicKey: readPublicKey(publicKey),
    subjectPublicKeyInfo: expectTag(publicKey, TAG.SEQUENCE).whole,
    extensions,
    ...readBasicConstraints(extensions),
    keyUsage: readKeyUsage(extensions),
  };
}

function only<T>(items: T[]): T {
  if (items.length !== 1) throw new Malformed('One element was expected.');
  return items[0] as T;
}
