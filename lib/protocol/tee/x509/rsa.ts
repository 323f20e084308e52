import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { Malformed } from '../malformed';
import { childrenOf, expectTag, readDer, TAG } from './der';
import { unsignedOf } from './der-values';

/** A public RSA key. */
export interface RsaPublicKey {
  curve: 'RSA';
  /** Without leading zeros: every signature has as many bytes. */
  modulus: Uint8Array;
}

const MODULUS_BYTES_MIN = 256;
const MODULUS_BYTES_MAX = 1_024;
const EXPONENT = 65_537n;
/** DigestInfo in front of the hash (RFC 8017, 9.2, note 1). */
const DIGEST_INFO = {
  sha256: hexToBytes('3031300d060960864801650304020105000420'),
  sha384: hexToBytes('3041300d060960864801650304020205000430'),
} as const;

/** Reads an RSAPublicKey (RFC 8017, A.1.1). @throws {Malformed} also for less than 2048 bits, more than 8192, and other exponents than 65537 */
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
 * Whether a signature of RSASSA-PKCS1-v1_5 over this digest is by this key (RFC 8017, 8.2.2). The one encoding that is
 * right is made and compared whole, so that nothing hides in its padding. Nothing here is secret.
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

/** To the power of 65537, which is sixteen squarings and one multiplication. */
function power(base: bigint, modulus: bigint): bigint {
  let result = base;
  for (let square = 0; square < 16; square++) result = (result * result) % modulus;
  return (result * base) % modulus;
}

function integerOf(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
