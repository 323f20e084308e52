import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { addressOf } from './e2ee/public-key';

/** What a signature says of an address: made by its key, by its key but in the other form of the same signature, or neither. */
export type KeyVerdict = 'signed' | 'mirrored' | 'not-signed';

/**
 * The arithmetic of a recovery (SEC 1, section 4.1.6), which browsers do in JavaScript and servers in less time.
 * What is a signature at all is not its to say: it is asked only for r and s from 1 to below the curve's order.
 * @param rs r ‖ s, 32 bytes each; s may be in the upper half of the order.
 * @param parity of y of the point whose x is r
 * @returns the 65 bytes of the uncompressed key; null where there is none.
 */
export type RecoverPublicKey = (hash: Uint8Array, rs: Uint8Array, parity: 0 | 1) => Uint8Array | null;

/**
 * Whether the key of an address signed a hash.
 * @param address in any case; the zero address, for which `ecrecover` mistakes every broken signature, has no key.
 * @param signature 65 bytes r ‖ s ‖ v in hex, with or without 0x: r and s from 1 to below the curve's order, v 27, 28, 0
 *   or 1 (hardware wallets write the latter). The compact form of EIP-2098 is none.
 * @returns `mirrored` where s is in the upper half of the order: anybody can make that out of the other form (EIP-2).
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
 * The address whose key signed a hash, as `0x` and lower-case hex; null for what is no signature by the rules of
 * `keyVerdict`, the upper half of s included. It is never the zero address.
 */
export function recoverEvmSigner(
  hash: Uint8Array,
  signature: string,
  recoverPublicKey = recoverInJavaScript,
): string | null {
  const recovered = recover(hash, signature, recoverPublicKey);
  return recovered === null || recovered.hasHighS ? null : recovered.address;
}

/** The recovery of browsers, and of whatever else has no room for a library of its own. */
export const recoverInJavaScript: RecoverPublicKey = (hash, rs, parity) => {
  try {
    return secp256k1.Signature.fromBytes(rs, 'compact').addRecoveryBit(parity).recoverPublicKey(hash).toBytes(false);
  } catch {
    return null;
  }
};

/** keccak-256 over a text as EIP-191 wraps it (version 0x45, `personal_sign`). */
export function personalMessageHash(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  return keccak_256(concatBytes(utf8ToBytes(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes));
}

const ZERO_ADDRESS = /^0x0{40}$/i;

/** Whether an address is the zero address, which nobody has the key of and no contract can be at. */
export function isZeroAddress(address: string): boolean {
  return ZERO_ADDRESS.test(address);
}

const SIGNATURE = /^(?:0x)?([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{2})$/i;
/** Numbers of 32 bytes, as digits that compare as their values do. */
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
