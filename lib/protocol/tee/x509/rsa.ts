import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { Malformed } from '../malformed';
import { childrenOf, expectTag, readDer, TAG } from './der';
import { unsignedOf } from './der-values';

export interface RsaPublicKey {
  curve: 'RSA';
  /** Modulus without leading zeros. A signature has the same length. */
  modulus: Uint8Array;
}

const MODULUS_BYTES_MIN = 256;
const MODULUS_BYTES_MAX = 1_024;
const EXPONENT = 65_537n;
/** DigestInfo prefixes (RFC 8017, 9.2, note 1). */
const DIGEST_INFO = {
  sha256: hexToBytes('3031300d060960864801650304020105000420'),
  sha384: hexToBytes('3041300d060960864801650304020205000430'),
} as const;

/**
 * Parses an RSAPublicKey (RFC 8017, A.1.1).
 *
 * @throws {Malformed} also for a length outside 2048 to 8192 bits, and for an exponent other than 65537
 */
export function readRsaPublicKey(der: Uint8Array): RsaPublicKey {
  const parts = childrenOf(readDer(der, TAG.SEQUENCE));
  const [modulus, exponent] = parts.map((part) => unsignedOf(expectTag(part, TAG.INTEGER)));
  if (!modulus || !exponent || parts.length !== 2)
    throw new Malformed('The RSA key has other parts than modulus and exponent.');
  if (integerOf(exponent) !== EXPONENT) throw new Malformed('The exponent of the RSA key is not 65537.');
  if (modulus.length < MODULUS_BYTES_MIN || modulus.length > MODULUS_BYTES_MAX)
    throw new Malformed('The RSA key is not of 2048 to 8192 bits.');
  return { curve: 'RSA', modulus };
}

/**
 * Verifies an RSASSA-PKCS1-v1_5 signature over a digest (RFC 8017, 8.2.2). Compares the whole encoded message, so that
 * padding cannot hide data.
 */
export function isSignedWithRsa(
  { modulus }: RsaPublicKey,
  hash: keyof typeof DIGEST_INFO,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  const [value, limit] = [integerOf(signature), integerOf(modulus)];
  if (signature.length !== modulus.length || value >= limit) return false;
  const info = concatBytes(DIGEST_INFO[hash], digest);
  const padding = new Uint8Array(modulus.length - info.length - 3).fill(0xff);
  return power(value, limit) === integerOf(concatBytes(Uint8Array.of(0, 1), padding, Uint8Array.of(0), info));
}

function power(base: bigint, modulus: bigint): bigint {
  let result = base;
  for (let square = 0; square < 16; square++) result = (result * result) % modulus;
  return (result * base) % modulus;
}

function integerOf(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
