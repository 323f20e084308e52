import { type Hex, hexToBytes, size } from 'viem';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { evmKeyVerdict } from '../../auth/verify-signature';

const COMPACT_BYTES = 64;
const PLAIN_BYTES = 65;
const WORD_DIGITS = 64;
/** Recovery bit of a compact signature (EIP-2098): the highest bit of its second half. */
const RECOVERY_BIT = 1n << 255n;

/**
 * Normalizes the payer's own signature to r, s and a v of 27 or 28, as tokens accept it. Also reads the compact form
 * (EIP-2098) and a v of 0 or 1.
 *
 * @param signature in lower case
 * @returns null if the payer's key did not make it; a contract may accept it (EIP-1271, ERC-6492)
 * @throws InvalidPayment if s is in the upper half of the curve's order, because the signature is then a variant of
 *   another (EIP-2)
 */
export function canonicalKeySignature(signature: Hex, digest: Hex, payer: `0x${string}`): Hex | null {
  const canonical = plainSignature(signature);
  const verdict = evmKeyVerdict(payer, hexToBytes(digest), canonical);
  if (verdict === 'mirrored')
    throw new InvalidPayment(
      'signature_malleable',
      'The signature is not canonical: its s is in the upper half of the curve. Sign again with a wallet that follows EIP-2.',
    );
  return verdict === 'signed' ? canonical : null;
}

/** Reduces equivalent forms of a key's signature to one form. Other signatures stay unchanged. */
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
