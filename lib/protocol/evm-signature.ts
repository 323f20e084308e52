import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { addressOf } from './e2ee/public-key';

/** `mirrored`: the address's key signed, but `s` is in the upper half of the order. */
export type KeyVerdict = 'signed' | 'mirrored' | 'not-signed';

/**
 * Recovers a public key (SEC 1, section 4.1.6). Servers pass a faster function than the default. r and s must be at
 * least 1 and below the curve's order.
 *
 * @param rs signature's r ‖ s, 32 bytes each; s may be in the upper half of the order
 * @param parity parity of the y coordinate of the point with x = r
 * @returns 65 bytes of the uncompressed key, or null
 */
export type RecoverPublicKey = (hash: Uint8Array, rs: Uint8Array, parity: 0 | 1) => Uint8Array | null;

/**
 * Checks whether the key of an address signed a hash.
 *
 * @param address address in upper or lower case. The zero address, which `ecrecover` returns for invalid signatures, is
 *   refused
 * @param signature 65 bytes r ‖ s ‖ v in hex, with or without 0x. r and s are at least 1 and below the curve's order. v
 *   is 27 or 28; hardware wallets may write 0 or 1. EIP-2098's compact form is refused
 * @returns `mirrored` for a high-s signature, which anyone can derive from the signer's low-s signature (EIP-2)
 */
export function keyVerdict(
  address: string,
  hash: Uint8Array,
  signature: string,
  recoverPublicKey: RecoverPublicKey,
): KeyVerdict {
  if (isZeroAddress(address)) return 'not-signed';
  const recovered = recover(hash, signature, recoverPublicKey);
  if (recovered?.address !== address.toLowerCase()) return 'not-signed';
  return recovered.hasHighS ? 'mirrored' : 'signed';
}

/**
 * Recovers a hash's signer as `0x` and lower-case hex. Null for a high-s signature, or one that `keyVerdict` refuses.
 */
export function recoverEvmSigner(
  hash: Uint8Array,
  signature: string,
  recoverPublicKey = recoverInJavaScript,
): string | null {
  const recovered = recover(hash, signature, recoverPublicKey);
  return recovered === null || recovered.hasHighS ? null : recovered.address;
}

/** Recovers a key without a native library, for browsers. */
export const recoverInJavaScript: RecoverPublicKey = (hash, rs, parity) => {
  try {
    return secp256k1.Signature.fromBytes(rs, 'compact').addRecoveryBit(parity).recoverPublicKey(hash).toBytes(false);
  } catch {
    return null;
  }
};

/** Returns keccak-256 of a text wrapped as in EIP-191 (version 0x45, `personal_sign`). */
export function personalMessageHash(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  return keccak_256(concatBytes(utf8ToBytes(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes));
}

const ZERO_ADDRESS = /^0x0{40}$/i;

export function isZeroAddress(address: string): boolean {
  return ZERO_ADDRESS.test(address);
}

const SIGNATURE = /^(?:0x)?([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{2})$/i;
/** 64-digit hex texts, which sort like their numeric values. */
const ZERO = '0'.repeat(64);
const ORDER = word(secp256k1.Point.CURVE().n);
const HALF_ORDER = word(secp256k1.Point.CURVE().n >> 1n);

function recover(
  hash: Uint8Array,
  signature: string,
  recoverPublicKey: RecoverPublicKey,
): { address: string; hasHighS: boolean } | null {
  const [, r, s, v] = SIGNATURE.exec(signature.toLowerCase()) ?? [];
  if (r === undefined || s === undefined || v === undefined) return null;
  const parity = parityOf(Number.parseInt(v, 16));
  if (parity === null || !isScalar(r) || !isScalar(s)) return null;
  const key = recoverPublicKey(hash, hexToBytes(r + s), parity);
  return key === null ? null : { address: addressOf(key), hasHighS: s > HALF_ORDER };
}

function isScalar(digits: string): boolean {
  return digits > ZERO && digits < ORDER;
}

function parityOf(v: number): 0 | 1 | null {
  if (v === 27 || v === 0) return 0;
  return v === 28 || v === 1 ? 1 : null;
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
