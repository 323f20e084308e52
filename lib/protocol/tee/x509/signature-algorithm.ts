import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { isPointOf } from '../../curve-point';
import { Malformed } from '../malformed';
import { childrenOf, type DerElement, expectTag, oidOf, readDer, TAG, unsignedOf, wholeBitsOf } from './der';
import {
  isSignedWithRsa,
  isSignedWithRsaPss,
  readRsaPssParameters,
  readRsaPublicKey,
  RSA_PSS_OID,
  type RsaPublicKey,
} from './rsa';

/** Public key as an uncompressed point on a curve that Intel or NVIDIA uses. */
export interface EcPublicKey {
  curve: 'P-256' | 'P-384';
  point: Uint8Array;
}

/** Key of a certificate. AMD's authorities and one NVIDIA authority have RSA keys. */
export type PublicKey = EcPublicKey | RsaPublicKey;

export type SignatureAlgorithm = 'ecdsa-sha256' | 'ecdsa-sha384' | 'rsa-sha256' | 'rsa-sha384' | 'rsa-pss-sha384';

const ALGORITHM_BY_OID: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.10045.4.3.2': 'ecdsa-sha256',
  '1.2.840.10045.4.3.3': 'ecdsa-sha384',
  '1.2.840.113549.1.1.11': 'rsa-sha256',
  '1.2.840.113549.1.1.12': 'rsa-sha384',
};
const RSA_PUBLIC_KEY_OID = '1.2.840.113549.1.1.1';
const CURVE_BY_OID: Readonly<Record<string, EcPublicKey['curve']>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
};
const EC_PUBLIC_KEY_OID = '1.2.840.10045.2.1';
const SCALAR_BYTES = { 'P-256': 32, 'P-384': 48 } as const;

/**
 * Parses a signature's AlgorithmIdentifier: ECDSA without parameters (RFC 5758), RSA with NULL or PSS parameters (RFC
 * 4055).
 *
 * @throws {Malformed}
 */
export function readSignatureAlgorithm(element: DerElement | undefined): SignatureAlgorithm {
  const [id, ...parameters] = childrenOf(expectTag(element, TAG.SEQUENCE));
  const oid = oidOf(id);
  if (oid === RSA_PSS_OID) return readRsaPssParameters(parameters);
  const algorithm = ALGORITHM_BY_OID[oid];
  const hasParameters = algorithm?.startsWith('rsa') ? isNull(parameters) : parameters.length === 0;
  if (algorithm === undefined || !hasParameters)
    throw new Malformed('The signature is neither ECDSA nor RSA with SHA-256 or SHA-384.');
  return algorithm;
}

/**
 * Parses a SubjectPublicKeyInfo and checks that an EC point is on its curve.
 *
 * @throws {Malformed}
 */
export function readPublicKey(element: DerElement | undefined): PublicKey {
  const [algorithm, key] = childrenOf(expectTag(element, TAG.SEQUENCE));
  const [id, ...parameters] = childrenOf(expectTag(algorithm, TAG.SEQUENCE));
  const oid = oidOf(id);
  if (oid === RSA_PUBLIC_KEY_OID && isNull(parameters)) return readRsaPublicKey(wholeBitsOf(key));
  const curve = oid === EC_PUBLIC_KEY_OID ? CURVE_BY_OID[oidOf(parameters[0])] : undefined;
  if (curve === undefined) throw new Malformed('The public key is not a P-256, P-384 or RSA key.');
  return assertEcPublicKey({ curve, point: wholeBitsOf(key) });
}

function isNull(parameters: readonly DerElement[]): boolean {
  return parameters.length === 1 && parameters[0]?.tag === TAG.NULL && parameters[0].content.length === 0;
}

/**
 * Asserts that a key is an uncompressed point of its curve.
 *
 * @throws {Malformed}
 */
export function assertEcPublicKey(key: EcPublicKey): EcPublicKey {
  if (key.point.length !== 1 + 2 * SCALAR_BYTES[key.curve] || key.point[0] !== 4)
    throw new Malformed('The public key is not an uncompressed point.');
  if (!isPointOf(key.curve, key.point)) throw new Malformed('The public key is not a point of its curve.');
  return key;
}

/**
 * Verifies a signature. Accepts high s, because Intel's signers do not normalize s. ECDSA and PSS need WebCrypto, so
 * browsers need a secure context.
 *
 * @param format signature's format, for ECDSA: `der` as in X.509, or `compact` as r ‖ s
 */
export async function isSignedBy(
  key: PublicKey,
  algorithm: SignatureAlgorithm,
  bytes: Uint8Array,
  signature: Uint8Array,
  format: 'der' | 'compact',
): Promise<boolean> {
  const hash = algorithm.endsWith('sha256') ? 'sha256' : 'sha384';
  if ((key.curve === 'RSA') !== algorithm.startsWith('rsa')) return false;
  if (key.curve === 'RSA' && algorithm === 'rsa-pss-sha384') return isSignedWithRsaPss(key, bytes, signature);
  if (key.curve === 'RSA')
    return isSignedWithRsa(key, hash, hash === 'sha256' ? sha256(bytes) : sha384(bytes), signature);
  const size = SCALAR_BYTES[key.curve];
  const compact = format === 'der' ? compactOf(signature, size) : signature;
  if (compact?.length !== 2 * size) return false;
  try {
    const imported = await crypto.subtle.importKey(
      'raw',
      key.point as BufferSource,
      { name: 'ECDSA', namedCurve: key.curve },
      false,
      ['verify'],
    );
    return await crypto.subtle.verify(
      { name: 'ECDSA', hash: hash === 'sha256' ? 'SHA-256' : 'SHA-384' },
      imported,
      compact as BufferSource,
      bytes as BufferSource,
    );
  } catch {
    return false;
  }
}

/**
 * Converts a DER Ecdsa-Sig-Value (RFC 3279, 2.2.3) to r ‖ s. Null if it is not canonical, or too large for the curve.
 */
function compactOf(der: Uint8Array, size: number): Uint8Array | null {
  try {
    const parts = childrenOf(readDer(der, TAG.SEQUENCE));
    const [r, s] = parts.map((part) => unsignedOf(part));
    if (!r || !s || parts.length !== 2 || r.length > size || s.length > size) return null;
    const compact = new Uint8Array(2 * size);
    compact.set(r, size - r.length);
    compact.set(s, 2 * size - s.length);
    return compact;
  } catch {
    return null;
  }
}
