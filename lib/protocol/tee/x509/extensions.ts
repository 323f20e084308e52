import { Malformed } from '../malformed';
import { childrenOf, type DerElement, expectTag, readDer, TAG } from './der';
import { booleanOf, oidOf, smallIntegerOf } from './der-values';

export type Extensions = ReadonlyMap<string, { isCritical: boolean; value: Uint8Array }>;

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
      throw new Malformed(`The extension ${oid} is malformed or stands there twice.`);
    if (isCritical && !understood.includes(oid))
      throw new Malformed(`The critical extension ${oid} is not understood.`);
    extensions.set(oid, { isCritical, value: expectTag(parts.at(-1), TAG.OCTET_STRING).content });
  }
  return extensions;
}

/**
 * Returns whether the certificate is an authority, and how many authorities may be below it (null: any number).
 *
 * @throws {Malformed}
 */
export function readBasicConstraints(extensions: Extensions): { isAuthority: boolean; pathLengthMax: number | null } {
  const extension = extensions.get(EXTENSION.BASIC_CONSTRAINTS);
  const parts = extension ? childrenOf(readDer(extension.value)) : [];
  const isAuthority = parts[0]?.tag === TAG.BOOLEAN && booleanOf(parts[0]);
  const pathLength = isAuthority ? parts[1] : parts[0]?.tag === TAG.INTEGER ? parts[0] : undefined;
  return { isAuthority, pathLengthMax: pathLength ? smallIntegerOf(pathLength) : null };
}

const KEY_CERT_SIGN = 0x04;
const CRL_SIGN = 0x02;
const DIGITAL_SIGNATURE = 0x80;

/** Reads the key usage; null if absent. @throws {Malformed} */
export function readKeyUsage(
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
