import { base58 } from '@scure/base';

/** Size of an ed25519 public key or a program-derived address. */
export const ADDRESS_BYTES = 32;
/** Maximum base58 length of 32 bytes. */
const ADDRESS_CHARACTERS_MAX = 44;

/**
 * Decodes a Solana address to its 32 bytes.
 *
 * @throws {RangeError} whose message states the fault
 */
export function parseSolanaAddress(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw new RangeError('The address must be a string of 32 to 44 base58 characters.');
  // Checked first, because decoding takes quadratic time.
  if (text.length > ADDRESS_CHARACTERS_MAX)
    throw new RangeError('The address is too long: a Solana address has at most 44 base58 characters.');
  if (!isBase58(text))
    throw new RangeError('The address has a character outside base58, whose alphabet leaves out 0, O, I and l.');
  const bytes = base58.decode(text);
  if (bytes.length !== ADDRESS_BYTES)
    throw new RangeError(`The address stands for ${bytes.length} bytes; a Solana address has 32.`);
  return bytes;
}

export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** Decodes text that passes {@link isBase58}. Callers must limit its length, because decoding takes quadratic time. */
export function fromBase58(text: string): Uint8Array {
  return base58.decode(text);
}

export function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]*$/.test(text);
}
