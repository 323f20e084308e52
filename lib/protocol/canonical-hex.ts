type Hex = `0x${string}`;

const HEX = /^(?:0x(?:[0-9a-f]{2})*|(?:[0-9a-f]{2})+)$/i;

/**
 * Returns bytes in the one form of EVM signatures: `0x` and lower-case hex. Libraries write them without a prefix
 * (Python's `.hex()`) or in upper case. No bytes are `0x`: a Safe's signature once its owners have approved on chain.
 * @returns null for what is not hex, and for an empty text
 */
export function canonicalHex(text: string): Hex | null {
  return HEX.test(text) ? `0x${text.replace(/^0x/i, '').toLowerCase()}` : null;
}
