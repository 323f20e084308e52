import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { addressOf } from './e2ee/public-key';

/** What a signature says of an address: made by its key, by its key but in the other form of the same signature, or neither. */
export type KeyVerdict = 'signed' | 'mirrored' | 'not-signed';

/**
 * Whether the key of an address signed a hash.
 * @param address in any case; the zero address, for which `ecrecover` mistakes every broken signature, has no key.
 * @param signature 65 bytes r ‖ s ‖ v in hex, with or without 0x: r and s from 1 to below the curve's order, v 27, 28, 0
 *   or 1 (hardware wallets write the latter). The compact form of EIP-2098 is none.
 * @returns `mirrored` where s is in the upper half of the order: anybody can make that out of the other form (EIP-2).
 */
export function keyVerdict(address: string, hash: Uint8Array, signature: string): KeyVerdict {
  if (isZeroAddress(address)) return 'not-signed';
  const recovered = recover(hash, signature);
  if (recovered?.address !== address.toLowerCase()) return 'not-signed';
  return recovered.hasHighS ? 'mirrored' : 'signed';
}

/**
 * The address whose key signed a hash, as `0x` and lower-case hex; null for what is no signature by the rules of
 * `keyVerdict`, the upper half of s included. It is never the zero address.
 */
export function recoverEvmSigner(hash: Uint8Array, signature: string): string | null {
  const recovered = recover(hash, signature);
  return recovered === null || recovered.hasHighS ? null : recovered.address;
}

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

const SIGNATURE = /^(?:0x)?([0-9a-f]{130})$/i;
const RS_BYTES = 64;

function recover(hash: Uint8Array, signature: string): { address: string; hasHighS: boolean } | null {
  const hex = SIGNATURE.exec(signature)?.[1]?.toLowerCase();
  if (hex === undefined) return null;
  const bytes = hexToBytes(hex);
  const recovery = recoveryBit(bytes[RS_BYTES] as number);
  if (recovery === null) return null;
  try {
    // Reading refuses r and s of 0 and from the order on.
    const parsed = secp256k1.Signature.fromBytes(bytes.subarray(0, RS_BYTES), 'compact').addRecoveryBit(recovery);
    return { address: addressOf(parsed.recoverPublicKey(hash).toBytes(false)), hasHighS: parsed.hasHighS() };
  } catch {
    return null;
  }
}

function recoveryBit(v: number): 0 | 1 | null {
  if (v === 27 || v === 0) return 0;
  return v === 28 || v === 1 ? 1 : null;
}
