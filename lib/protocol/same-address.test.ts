import { expect, it } from 'vitest';
import { isSameAddress } from './wallet-address';

const EVM = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

it.each([
  ['evm', EVM, EVM.toLowerCase(), true],
  ['evm', EVM, EVM.toUpperCase(), true],
  ['evm', EVM, EVM.replace('8', '9'), false],
  ['solana', SOLANA, SOLANA, true],
  ['solana', SOLANA, SOLANA.toLowerCase(), false],
] as const)('on %s, %s and %s are the same address: %j', (family, one, other, expected) => {
  expect([isSameAddress(family, one, other), isSameAddress(family, other, one)]).toEqual([expected, expected]);
});
