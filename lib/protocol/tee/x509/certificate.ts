import { Malformed } from '../malformed';
import {
  booleanOf,
  childrenOf,
  type DerElement,
  expectTag,
  oidOf,
  readDer,
  serialOf,
  smallIntegerOf,
  TAG,
  timeOf,
  wholeBitsOf,
} from './der';
import { type PublicKey, readPublicKey, readSignatureAlgorithm, type SignatureAlgorithm } from './signature-algorithm';

type Extensions = ReadonlyMap<string, { isCritical: boolean; value: Uint8Array }>;

export const EXTENSION = {
  SUBJECT_KEY_ID: '2.5.29.14',
  KEY_USAGE: '2.5.29.15',
  BASIC_CONSTRAINTS: '2.5.29.19',
  CRL_NUMBER: '2.5.29.20',
  CRL_DISTRIBUTION_POINTS: '2.5.29.31',
  AUTHORITY_KEY_ID: '2.5.29.35',
} as const;

/** @throws {Malformed} for a duplicate, or a critical extension that is not in `understood` (RFC 5280, 4.2) */
export function readExtensions(list: DerElement, understood: readonly string[]): Extensions {
  const extensions = new Map<string, { isCritical: boolean; value: Uint8Array }>();
  for (const extension of childrenOf(expectTag(list, TAG.SEQUENCE))) {
    const parts = childrenOf(expectTag(extension, TAG.SEQUENCE));
    const oid = oidOf(parts[0]);
    const isCritical = parts.length === 3 && booleanOf(parts[1]);
    if (parts.length > 3 || extensions.has(oid))
      throw new Malformed(`The extension ${oid} is malformed or occurs twice.`);
    if (isCritical && !understood.includes(oid)) throw new Malformed(`The critical extension ${oid} is not supported.`);
    extensions.set(oid, { isCritical, value: expectTag(parts.at(-1), TAG.OCTET_STRING).content });
  }
  return extensions;
}

/**
 * Returns whether the certificate is an authority, and how many authorities may be below it (null: any number).
 *
 * @throws {Malformed}
 */
function readBasicConstraints(extensions: Extensions): { isAuthority: boolean; pathLengthMax: number | null } {
  const extension = extensions.get(EXTENSION.BASIC_CONSTRAINTS);
  const parts = extension ? childrenOf(readDer(extension.value)) : [];
  const isAuthority = parts[0]?.tag === TAG.BOOLEAN && booleanOf(parts[0]);
  const pathLength = isAuthority ? parts[1] : parts[0]?.tag === TAG.INTEGER ? parts[0] : undefined;
  return { isAuthority, pathLengthMax: pathLength ? smallIntegerOf(pathLength) : null };
}

const KEY_CERT_SIGN = 0x04;
const CRL_SIGN = 0x02;
const DIGITAL_SIGNATURE = 0x80;

function readKeyUsage(
  extensions: Extensions,
): { digitalSignature: boolean; certificates: boolean; revocationLists: boolean } | null {
  const extension = extensions.get(EXTENSION.KEY_USAGE);
  if (!extension) return null;
  const { content } = readDer(extension.value, TAG.BIT_STRING);
  const bits = content[1] ?? 0;
  return {
    digitalSignature: (bits & DIGITAL_SIGNATURE) !== 0,
    certificates: (bits & KEY_CERT_SIGN) !== 0,
    revocationLists: (bits & CRL_SIGN) !== 0,
  };
}

const LABELS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
};
const CHARACTERS_MAX = 256;

/**
 * Formats a distinguished name for display, `CN=…, O=…`. Names must be compared by their bytes.
 *
 * @throws {Malformed}
 */
export function nameText(element: DerElement): string {
  const parts = childrenOf(expectTag(element, TAG.SEQUENCE)).flatMap((set) => childrenOf(expectTag(set, TAG.SET)));
  return parts
    .map((part) => {
      const [type, value] = childrenOf(expectTag(part, TAG.SEQUENCE));
      const oid = oidOf(type);
      return `${LABELS[oid] ?? oid}=${new TextDecoder().decode(value?.content.subarray(0, CHARACTERS_MAX))}`;
    })
    .join(', ');
}

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
  if (parts.length !== 3) throw new Malformed('The certificate does not have three parts.');
  const fields = childrenOf(expectTag(tbs, TAG.SEQUENCE));
  const [version, serial, innerAlgorithm, issuer, validity, subject, publicKey, extensionList] = fields;
  if (fields.length !== 8) throw new Malformed('The certificate does not have version 3 with extensions.');
  if (smallIntegerOf(childrenOf(expectTag(version, EXPLICIT_0))[0]) !== VERSION_3)
    throw new Malformed('The certificate does not have version 3.');
  const signatureAlgorithm = readSignatureAlgorithm(algorithm);
  if (readSignatureAlgorithm(innerAlgorithm) !== signatureAlgorithm)
    throw new Malformed('The certificate contains two different signature algorithms.');
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
  if (items.length !== 1) throw new Malformed('The certificate has several elements or none where one is expected.');
  return items[0] as T;
}
