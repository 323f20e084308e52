import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import { Malformed } from '../malformed';
import type { DerElement } from './der';
import type { RsaPublicKey } from './rsa';

export const RSA_PSS_OID = '1.2.840.113549.1.1.10';

const SALT_BYTES = 48;
const EXPONENT = hexToBytes('010001');
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
    throw new Malformed('The signature is of RSA-PSS with other parameters than SHA-384 and a salt of 48 bytes.');
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
      e: base64urlnopad.encode(EXPONENT),
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
