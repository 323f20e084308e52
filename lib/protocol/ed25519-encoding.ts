const POINT_BYTES = 32;
const SIGNATURE_BYTES = 64;
const FIELD = 2n ** 255n - 19n;
/** Order of the base point. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const SIGN_BIT = 0x80;
/** y coordinate of two points of order 8. The other two points have the negative y. */
const Y_OF_ORDER_8 = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** y coordinates of the points of order 1, 2, 4 and 8. Under such a public key, forged signatures can verify. */
const SMALL_ORDER_Y = new Set([1n, FIELD - 1n, 0n, Y_OF_ORDER_8, FIELD - Y_OF_ORDER_8]);

/**
 * Returns why an ed25519 key or signature is badly encoded, as a sentence; null if valid. Together with a verification
 * without the cofactor, this check is as strict as Solana's (`verify_strict` of ed25519-dalek). The public key and R
 * must be canonical points and not of small order. S must be below the order (RFC 8032, section 5.1.7).
 */
export function ed25519Fault(publicKey: Uint8Array, signature: Uint8Array): string | null {
  if (publicKey.length !== POINT_BYTES) return 'The public key is not 32 bytes.';
  if (signature.length !== SIGNATURE_BYTES) return 'The signature is not 64 bytes.';
  const fault = pointFault(publicKey);
  if (fault !== null) return `The public key is ${fault}.`;
  const commitmentFault = pointFault(signature.subarray(0, POINT_BYTES));
  if (commitmentFault !== null) return `R of the signature is ${commitmentFault}.`;
  return littleEndian(signature.subarray(POINT_BYTES)) < ORDER ? null : 'S of the signature is not below the order.';
}

/** @param point 32 bytes of y, little-endian, with the sign of x in the highest bit */
function pointFault(point: Uint8Array): string | null {
  const bytes = Uint8Array.from(point);
  bytes[POINT_BYTES - 1] = (bytes[POINT_BYTES - 1] as number) & ~SIGN_BIT;
  const y = littleEndian(bytes);
  if (y >= FIELD) return 'not in its canonical form';
  return SMALL_ORDER_Y.has(y) ? 'a point of small order' : null;
}

function littleEndian(bytes: Uint8Array): bigint {
  let hex = '';
  for (const byte of bytes) hex = byte.toString(16).padStart(2, '0') + hex;
  return BigInt(`0x${hex}`);
}
