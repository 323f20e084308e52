import { type Hex, hexToBytes, size } from 'viem';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { evmKeyVerdict } from '../../auth/signatures/evm-key-verdict';

const COMPACT_BYTES = 64;
const PLAIN_BYTES = 65;
/** Digits of r, and of s, in hex. */
const WORD_DIGITS = 64;
/** The highest bit of a compact signature's second half is its recovery bit (EIP-2098). */
const RECOVERY_BIT = 1n << 255n;

/**
 * The signature of the payer's own key in its one form: r, s and a v of 27 or 28, as tokens take it. Compact ones
 * (EIP-2098) and a v of 0 or 1 are rewritten.
 * @param signature in lower case
 * @returns null where it is not that key's: then it may be one that a contract takes (EIP-1271, ERC-6492).
 * @throws InvalidPayment where s lies in the upper half of the curve's order, which makes it the twin of another (EIP-2).
 */
export function canonicalKeySignature(signature: Hex, digest: Hex, payer: `0x${string}`): Hex | null {
  const canonical = plainSignature(signature);
  const verdict = evmKeyVerdict(payer, hexToBytes(digest), canonical);
  if (verdict === 'mirrored')
    throw new InvalidPayment(
      'signature_malleable',
      'The signature is in its non-canonical form, with s in the upper half of the curve: sign again with a wallet that follows EIP-2.',
    );
  return verdict === 'signed' ? canonical : null;
}

/** A signature in the one form of those that mean the same, whoever's it is; as it is where it is none of a key. */
export function plainSignature(signature: Hex): Hex {
  if (size(signature) === COMPACT_BYTES) return expanded(signature);
  return size(signature) === PLAIN_BYTES ? withTokensV(signature) : signature;
}

function expanded(compact: Hex): Hex {
  const [r, yAndS] = [compact.slice(2, 2 + WORD_DIGITS), BigInt(`0x${compact.slice(2 + WORD_DIGITS)}`)];
  const s = (yAndS & ~RECOVERY_BIT).toString(16).padStart(WORD_DIGITS, '0');
  return `0x${r}${s}${yAndS & RECOVERY_BIT ? '1c' : '1b'}`;
}

function withTokensV(signature: Hex): Hex {
  return signature.replace(/00$/, '1b').replace(/01$/, '1c') as Hex;
}
