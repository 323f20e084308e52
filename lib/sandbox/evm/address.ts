import type { Address } from 'viem';
import { getAddress } from 'viem/utils';

/**
 * Parses an EVM address in lower case, upper case or with a correct checksum. Returns the EIP-55 form.
 *
 * @throws {RangeError} with a message that says what is wrong
 */
export function parseAddress(text: unknown): Address {
  if (typeof text !== 'string') throw new RangeError('The address must be a string, 0x and 40 hexadecimal digits.');
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) throw new RangeError('The address must be 0x and 40 hexadecimal digits.');
  const address = getAddress(`0x${digits.toLowerCase()}`);
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!hasOneCase && text !== address) {
    throw new RangeError('The checksum of the address (EIP-55) is wrong: a digit or the case of a letter is mistyped.');
  }
  return address;
}
