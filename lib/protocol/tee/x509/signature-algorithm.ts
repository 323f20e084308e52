import { p256, p384 } from '@noble/curves/nist.js';
import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { Malformed } from '../malformed';
import { childrenOf, type DerElement, expectTag, TAG } from './der';
import { oidOf, wholeBitsOf } from './der-values';
import { isSignedWithRsa, readRsaPublicKey, type RsaPublicKey } from './rsa';

/** A public key of one of the two curves that Intel and NVIDIA use, as an uncompressed point. */
export interface EcPublicKey {
  curve: 'P-256' | 'P-384';
  point: Uint8Array;
}

/** The key of a certificate: on a curve, or RSA, which one authority of NVIDIA's has. */
export type PublicKey = EcPublicKey | RsaPublicKey;

/** How certificates and lists are signed. */
export type SignatureAlgorithm = 'ecdsa-sha256' | 'ecdsa-sha384' | 'rsa-sha256' | 'rsa-sha384';

const ALGORITHM_BY_OID: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.10045.4.3.2': 'ecdsa-sha256',
  '1.2.840.10045.4.3.3': 'ecdsa-sha384',
  '1.2.840.113549.1.1.11': 'rsa-sha256',
  '1.2.840.113549.1.1.12': 'rsa-sha384',
};
const RSA_PUBLIC_KEY_OID = '1.2.840.113549.1.1.1';
const CURVE_BY_OID: Readonly<Record<string, EcPublicKey['curve']>> = { '1.2.840.10045.3.1.7': 'P-256', '1.3.132.0.34': 'P-384' };
const EC_PUBLIC_KEY_OID = '1.2.840.10045.2.1';
const CURVES = { 'P-256': p256, 'P-384': p384 } as const;

/** Reads the AlgorithmIdentifier of a signature: of ECDSA without parameters (RFC 5758), of RSA with NULL (RFC 4055). @throws {Malformed} */
export function readSignatureAlgorithm(element: DerElement | undefined): SignatureAlgorithm {
  const [id, ...parameters] = childrenOf(expectTag(element, TAG.SEQUENCE));
  const algorithm = ALGORITHM_BY_OID[oidOf(id)];
  const hasParameters = algorithm?.startsWith('rsa') ? isNull(parameters) : parameters.length === 0;
  if (algorithm === undefined || !hasParameters) throw new Malformed('The signature is neither ECDSA nor RSA with SHA-256 or SHA-384.');
  return algorithm;
}

/** Reads a SubjectPublicKeyInfo; of a point it sees that it is on its curve. @throws {Malformed} */
export function readPublicKey(element: DerElement | undefined): PublicKey {
  const [algorithm, key] = childrenOf(expectTag(element, TAG.SEQUENCE));
  const [id, ...parameters] = childrenOf(expectTag(algorithm, TAG.SEQUENCE));
  const oid = oidOf(id);
  if (oid === RSA_PUBLIC_KEY_OID && isNull(parameters)) return readRsaPublicKey(wholeBitsOf(key));
  const curve = oid === EC_PUBLIC_KEY_OID ? CURVE_BY_OID[oidOf(parameters[0])] : undefined;
  if (curve === undefined) throw new Malformed('The public key is not of P-256, P-384 or RSA.');
  return assertEcPublicKey({ curve, point: wholeBitsOf(key) });
}

function isNull(parameters: readonly DerElement[]): boolean {
  return parameters.length === 1 && parameters[0]?.tag === TAG.NULL && parameters[0].content.length === 0;
}

/** Refuses what is no uncompressed point of its curve. @throws {Malformed} */
export function assertEcPublicKey(key: EcPublicKey): EcPublicKey {
  const size = key.curve === 'P-256' ? 65 : 97;
  if (key.point.length !== size || key.point[0] !== 4) throw new Malformed('The public key is not an uncompressed point.');
  try {
    CURVES[key.curve].Point.fromBytes(key.point).assertValidity();
  } catch {
    throw new Malformed('The public key is not a point of its curve.');
  }
  return key;
}

/**
 * Whether a signature over these bytes is by this key. `der` is the form of ECDSA in X.509, `compact` is r ‖ s; RSA has
 * one. High s is taken, since Intel's signers do not normalise it.
 */
export function isSignedBy(key: PublicKey, algorithm: SignatureAlgorithm, bytes: Uint8Array, signature: Uint8Array, format: 'der' | 'compact'): boolean {
  const hash = algorithm.endsWith('sha256') ? 'sha256' : 'sha384';
  const digest = hash === 'sha256' ? sha256(bytes) : sha384(bytes);
  if ((key.curve === 'RSA') !== algorithm.startsWith('rsa')) return false;
  if (key.curve === 'RSA') return isSignedWithRsa(key, hash, digest, signature);
  try {
    return CURVES[key.curve].verify(signature, digest, key.point, { prehash: false, lowS: false, format });
  } catch {
    return false;
  }
}
