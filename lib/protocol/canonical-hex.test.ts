import { expect, it } from 'vitest';
import { canonicalHex } from './canonical-hex';

/** Guarantee: a signature has one canonical form, however a library formats its bytes. */

it.each(['0xABcd', '0XabCD', 'abcd', 'ABCD'])('reads %s', (text) => {
  expect(canonicalHex(text)).toBe('0xabcd');
});

it.each(['0x', '0X'])('reads %s as no bytes', (text) => {
  expect(canonicalHex(text)).toBe('0x');
});

it.each(['', 'x', '0', '0xa', 'abc', '0xzz', '0x0xab', ' ab', 'ab\n', '0x ab', 'x0ab'])(
  '%j is not hexadecimal',
  (text) => {
    expect(canonicalHex(text)).toBeNull();
  },
);
