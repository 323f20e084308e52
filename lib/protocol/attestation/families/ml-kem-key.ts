import { Malformed } from '../../tee/malformed';

/**
 * Sizes of ML-KEM-768 (FIPS 203, tables 2 and 3): three polynomials of 256 12-bit coefficients, then a 32-byte seed.
 */
const KEY_BYTES = 1_184;
const POLYNOMIAL_BYTES = 1_152;
const Q = 3_329;

/**
 * Asserts the two input checks of FIPS 203, 7.2: the key's length, and every coefficient below q.
 *
 * @throws {Malformed}
 */
export function assertMlKem768Key(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== KEY_BYTES) throw new Malformed(`A key of ML-KEM-768 has ${KEY_BYTES} bytes.`);
  for (let at = 0; at < POLYNOMIAL_BYTES; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    if ((a | ((b & 0x0f) << 8)) >= Q || ((b >> 4) | (c << 4)) >= Q)
      throw new Malformed('The key is not a valid ML-KEM-768 key: a coefficient is too large.');
  }
  return bytes;
}
