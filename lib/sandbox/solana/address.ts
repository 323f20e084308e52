import { base58 } from '@scure/base';

/** Bytes of an ed25519 public key or a program-derived address. */
export const ADDRESS_BYTES = 32;
/** Characters that 32 bytes take in base58 at most. */
const ADDRESS_CHARACTERS_MAX = 44;

/**
 * The 32 bytes of a Solana address in base58.
 *
 * @throws {RangeError} with a sentence that says what is wrong with it
 */
export function parseSolanaAddress(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw new RangeError('The address must be a string of 32 to 44 base58 characters.');
  // Decoding takes time that grows with the square of the length.
  if (text.length > ADDRESS_CHARACTERS_MAX)
    throw new RangeError('The address is too long: a Solana address has at most 44 base58 characters.');
  if (!isBase58(text))
    throw new RangeError('The address has a character outside base58, whose alphabet leaves out 0, O, I and l.');
  const bytes = base58.decode(text);
  if (bytes.length !== ADDRESS_BYTES)
    throw new RangeError(`The address stands for ${bytes.length} bytes; a Solana address has 32.`);
  return bytes;
}

/** Bytes in base58, with the Bitcoin alphabet, as Solana writes addresses, hashes and signatures. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** The bytes of a text that {@link isBase58} holds for. Quadratic in its length: bound that first. */
export function fromBase58(text: string): Uint8Array {
  return base58.decode(text);
}

export function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]*$/.test(text);
}
