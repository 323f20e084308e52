import { numberAt, readDynamicText } from './read-text';
import type { Reading } from './reading';

const ERROR_STRING = '08c379a0';
const PANIC = '4e487b71';

/** Meanings of Solidity's panic codes (Solidity documentation, "Panic via assert and Error via require"). */
const PANICS: Readonly<Record<number, string>> = {
  0x00: 'a panic that the compiler put in',
  0x01: 'an assertion failed',
  0x11: 'arithmetic overflowed or underflowed',
  0x12: 'division or modulo by zero',
  0x21: 'a number is no value of its enum',
  0x22: 'a byte array in storage is encoded wrongly',
  0x31: 'pop() on an empty array',
  0x32: 'an array index is out of bounds',
  0x41: 'too much memory was asked for',
  0x51: 'a function variable was called that was never set',
};

/** Decodes a revert reason in Solidity's built-in formats, `Error(string)` and `Panic(uint256)`; null for others. */
export function readRevert(digits: string): Reading | null {
  const words = digits.slice(8);
  if (digits.startsWith(ERROR_STRING) && numberAt(words, 0) === 32) {
    const text = readDynamicText(words, 1);
    return text === null ? null : { kind: 'revert', text };
  }
  if (!digits.startsWith(PANIC) || words.length !== 64) return null;
  const code = numberAt(words, 0);
  if (code === null) return null;
  return {
    kind: 'panic',
    text: `0x${code.toString(16).padStart(2, '0')}: ${PANICS[code] ?? 'a code that Solidity does not document'}`,
  };
}
