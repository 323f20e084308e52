import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Hex, hexToBytes, keccak256, size } from 'viem';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';

const { n: ORDER } = secp256k1.Point.CURVE();
const HALF_ORDER = ORDER >> 1n;
/** The highest bit of a compact signature's second half is its recovery bit (EIP-2098). */
const RECOVERY_BIT = 1n << 255n;

interface KeySignature {
  r: bigint;
  s: bigint;
  recovery: 0 | 1;
}

/**
 * The signature of the payer's own key in its one form: r, s and a v of 27 or 28, as tokens take it. Compact ones
 * (EIP-2098) and a v of 0 or 1 are rewritten.
 * @returns null where it is not that key's: then it may be one that a contract takes (EIP-1271, ERC-6492).
 * @throws InvalidPayment where s lies in the upper half of the curve's order, which makes it the twin of another (EIP-2).
 */
export function canonicalKeySignature(signature: Hex, digest: Hex, payer: `0x${string}`): Hex | null {
  const parts = partsOf(signature);
  if (!parts || signerOf(parts, digest) !== payer.toLowerCase()) return null;
  if (parts.s > HALF_ORDER) throw new InvalidPayment('signature_malleable', 'The signature is in its non-canonical form, with s in the upper half of the curve: sign again with a wallet that follows EIP-2.');
  return `0x${word(parts.r)}${word(parts.s)}${parts.recovery === 0 ? '1b' : '1c'}`;
}

function partsOf(signature: Hex): KeySignature | null {
  const at = (start: number): bigint => BigInt(`0x${signature.slice(2 + start * 2, 2 + (start + 32) * 2)}`);
  if (size(signature) === 64) return { r: at(0), s: at(32) & ~RECOVERY_BIT, recovery: at(32) & RECOVERY_BIT ? 1 : 0 };
  if (size(signature) !== 65) return null;
  const v = Number.parseInt(signature.slice(-2), 16);
  if (![0, 1, 27, 28].includes(v)) return null;
  return { r: at(0), s: at(32), recovery: v % 27 === 0 ? 0 : 1 };
}

/** @returns the address in lower case; null where the curve has no such signature */
function signerOf({ r, s, recovery }: KeySignature, digest: Hex): string | null {
  if (r === 0n || s === 0n || r >= ORDER || s >= ORDER) return null;
  try {
    const point = new secp256k1.Signature(r, s).addRecoveryBit(recovery).recoverPublicKey(hexToBytes(digest));
    return `0x${keccak256(point.toBytes(false).subarray(1)).slice(-40)}`;
  } catch {
    return null;
  }
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
