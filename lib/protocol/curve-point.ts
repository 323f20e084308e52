/** Short Weierstrass curve over a prime field, with cofactor 1. */
interface Curve {
  size: number;
  p: bigint;
  a: bigint;
  b: bigint;
}

/** Field primes of P-256 and P-384 (NIST SP 800-186, 3.2.1), and secp256k1 (SEC 2, 2.4.1). */
const P256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const P384 = 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n;
const K256 = 2n ** 256n - 2n ** 32n - 977n;

const CURVES = {
  'P-256': { size: 32, p: P256, a: P256 - 3n, b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn },
  'P-384': {
    size: 48,
    p: P384,
    a: P384 - 3n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
  secp256k1: { size: 32, p: K256, a: 0n, b: 7n },
} as const satisfies Record<string, Curve>;

export type CurveName = keyof typeof CURVES;

const UNCOMPRESSED = 4;

/**
 * Returns whether bytes are an uncompressed point on the curve (SEC 1, 2.3.3: 04, x, y) with coordinates below the
 * prime. Because the cofactor is 1, such a point is a valid public key (SP 800-56A, 5.6.2.3.3). Do not pass secrets:
 * the check is not constant-time.
 */
export function isPointOf(name: CurveName, bytes: Uint8Array): boolean {
  const { size, p, a, b } = CURVES[name];
  if (bytes.length !== 1 + 2 * size || bytes[0] !== UNCOMPRESSED) return false;
  const [x, y] = [integerOf(bytes.subarray(1, 1 + size)), integerOf(bytes.subarray(1 + size))];
  return x < p && y < p && (y * y - (x * x * x + a * x + b)) % p === 0n;
}

function integerOf(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
