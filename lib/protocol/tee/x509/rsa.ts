import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import { Malformed } from '../malformed';
import { childrenOf, type DerElement, expectTag, readDer, TAG, unsignedOf } from './der';

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
    throw new Malformed('The RSA key has parts other than modulus and exponent.');
  if (integerOf(exponent) !== EXPONENT) throw new Malformed('The exponent of the RSA key is not 65537.');
  if (modulus.length < MODULUS_BYTES_MIN || modulus.length > MODULUS_BYTES_MAX)
    throw new Malformed('The RSA key does not have 2048 to 8192 bits.');
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

export const RSA_PSS_OID = '1.2.840.113549.1.1.10';

const SALT_BYTES = 48;
const EXPONENT_BYTES = hexToBytes('010001');
/** SHA-384 for message and MGF1, and a salt of 48 bytes. The trailer field, always 1, may be present or absent. */
const PARAMETERS =
  '30XXa00f300d06096086480165030402020500a11c301a06092a864886f70d010108300d06096086480165030402020500a203020130';
const ACCEPTED: readonly string[] = [PARAMETERS.replace('XX', '34'), `${PARAMETERS.replace('XX', '39')}a303020101`];

/**
 * Parses RSASSA-PSS-params (RFC 4055, 3.1). Accepts only the parameters of AMD's certificates and revocation lists.
 *
 * @throws {Malformed} for other parameters
 */
export function readRsaPssParameters(parameters: readonly DerElement[]): 'rsa-pss-sha384' {
  const [only] = parameters;
  if (parameters.length !== 1 || !only || !ACCEPTED.includes(bytesToHex(only.whole)))
    throw new Malformed('The RSA-PSS signature has parameters other than SHA-384 and a salt of 48 bytes.');
  return 'rsa-pss-sha384';
}

/** Verifies an RSASSA-PSS signature with SHA-384 and a salt of 48 bytes (RFC 8017, 8.1.2) by WebCrypto. */
export async function isSignedWithRsaPss(
  { modulus }: RsaPublicKey,
  bytes: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (signature.length !== modulus.length) return false;
  try {
    const jwk = {
      kty: 'RSA',
      n: base64urlnopad.encode(modulus),
      e: base64urlnopad.encode(EXPONENT_BYTES),
      alg: 'PS384',
      ext: true,
    };
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'RSA-PSS', hash: 'SHA-384' }, false, ['verify']);
    return await crypto.subtle.verify(
      { name: 'RSA-PSS', saltLength: SALT_BYTES },
      key,
      signature as BufferSource,
      bytes as BufferSource,
    );
  } catch {
    return false;
  }
}
