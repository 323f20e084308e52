import { p256, p384 } from '@noble/curves/nist.js';
import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { Malformed } from '../malformed';
import { childrenOf, type DerElement, expectTag, TAG } from './der';
import { oidOf, wholeBitsOf } from './der-values';

/** A public key of one of the two curves that Intel and NVIDIA use, as an uncompressed point. */
export interface EcPublicKey {
  curve: 'P-256' | 'P-384';
  point: Uint8Array;
}

/** The hash of an ECDSA signature in X.509. */
export type SignatureHash = 'sha256' | 'sha384';

const HASH_BY_OID: Readonly<Record<string, SignatureHash>> = { '1.2.840.10045.4.3.2': 'sha256', '1.2.840.10045.4.3.3': 'sha384' };
const CURVE_BY_OID: Readonly<Record<string, EcPublicKey['curve']>> = { '1.2.840.10045.3.1.7': 'P-256', '1.3.132.0.34': 'P-384' };
const EC_PUBLIC_KEY_OID = '1.2.840.10045.2.1';
const CURVES = { 'P-256': p256, 'P-384': p384 } as const;

/** Reads an AlgorithmIdentifier of an ECDSA signature, which has no parameters (RFC 5758). @throws {Malformed} */
export function readSignatureHash(element: DerElement | undefined): SignatureHash {
  const parts = childrenOf(expectTag(element, TAG.SEQUENCE));
  const hash = parts.length === 1 ? HASH_BY_OID[oidOf(parts[0])] : undefined;
  if (hash === undefined) throw new Malformed('The signature is not ECDSA with SHA-256 or SHA-384.');
  return hash;
}

/** Reads a SubjectPublicKeyInfo and sees that its point is on the curve. @throws {Malformed} */
export function readPublicKey(element: DerElement | undefined): EcPublicKey {
  const [algorithm, key] = childrenOf(expectTag(element, TAG.SEQUENCE));
  const [id, parameters] = childrenOf(expectTag(algorithm, TAG.SEQUENCE));
  const curve = oidOf(id) === EC_PUBLIC_KEY_OID ? CURVE_BY_OID[oidOf(parameters)] : undefined;
  if (curve === undefined) throw new Malformed('The public key is not of P-256 or P-384.');
  return assertEcPublicKey({ curve, point: wholeBitsOf(key) });
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
 * Whether a signature over these bytes is by this key. `der` is the form of X.509, `compact` is r ‖ s. High s is
 * taken, since Intel's signers do not normalise it.
 */
export function isSignedBy(key: EcPublicKey, hash: SignatureHash, bytes: Uint8Array, signature: Uint8Array, format: 'der' | 'compact'): boolean {
  const digest = hash === 'sha256' ? sha256(bytes) : sha384(bytes);
  try {
    return CURVES[key.curve].verify(signature, digest, key.point, { prehash: false, lowS: false, format });
  } catch {
    return false;
  }
}
