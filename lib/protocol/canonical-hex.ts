type Hex = `0x${string}`;

const HEX = /^(?:0x(?:[0-9a-f]{2})*|(?:[0-9a-f]{2})+)$/i;

/**
 * Normalizes an EVM signature to `0x` and lower-case hex. Some libraries omit the prefix or write upper case. A Safe
 * whose owners approved the message on chain has the empty signature `0x`.
 *
 * @returns null for text that is empty or not hex
 */
export function canonicalHex(text: string): Hex | null {
  return HEX.test(text) ? `0x${text.replace(/^0x/i, '').toLowerCase()}` : null;
}
