import { describe, expect, it } from 'vitest';
import { parseAddress } from './faucet';

// From the test cases of EIP-55.
const ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

describe('parseAddress', () => {
  it.each([
    ['its checksum', ADDRESS],
    ['lower case', ADDRESS.toLowerCase()],
    ['upper case', `0x${ADDRESS.slice(2).toUpperCase()}`],
  ])('accepts an address in %s and gives it its checksum', (_name, text) => {
    expect(parseAddress(text)).toBe(ADDRESS);
  });

  it('accepts all-digit addresses, which have no case', () => {
    const zero = `0x${'0'.repeat(40)}`;
    expect(parseAddress(zero)).toBe(zero);
  });

  it('refuses mixed case with one letter of the wrong case, and says that the checksum is wrong', () => {
    expect(() => parseAddress(ADDRESS.replace('fB', 'FB'))).toThrow(/checksum/);
  });

  it.each([
    ['too short', ADDRESS.slice(0, -1)],
    ['too long', `${ADDRESS}0`],
    ['without 0x', ADDRESS.slice(2)],
    ['with 0X', `0X${ADDRESS.slice(2).toLowerCase()}`],
    ['with a letter that is no digit', ADDRESS.replace('6', 'g')],
    ['with white space', ` ${ADDRESS}`],
    ['with a line break', `${ADDRESS.toLowerCase()}\n`],
    ['empty', ''],
    ['a Solana one', 'So11111111111111111111111111111111111111112'],
    ['null', null],
    ['a number', 5],
    ['an array of one address', [ADDRESS]],
    ['absent', undefined],
  ])('refuses an address %s', (_name, text) => {
    expect(() => parseAddress(text)).toThrow(RangeError);
  });
});
