import { expect, it } from 'vitest';
import { isKnownDollar } from './known-dollars';

const BASE = 'eip155:8453';
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OTHER = '0x1111111111111111111111111111111111111aBc';

it.each([
  ['USDC on Base', BASE, BASE_USDC, [], true],
  ['the same in lower case', BASE, BASE_USDC.toLowerCase(), [], true],
  ['its address on another chain', 'eip155:1', BASE_USDC, [], false],
  ['USDC on Solana', SOLANA, SOLANA_USDC, [], true],
  ['its mint in lower case, which is another one', SOLANA, SOLANA_USDC.toLowerCase(), [], false],
  ['a token that nobody named', 'eip155:1', OTHER, [BASE_USDC], false],
  ['one that the caller named, in whatever case', 'eip155:1', OTHER.toLowerCase(), [SOLANA_USDC, OTHER], true],
  ['a mint that the caller named', SOLANA, 'So11111111111111111111111111111111111111112', [OTHER, 'So11111111111111111111111111111111111111112'], true],
] as const)('%s: %s %s, beside %j, is known to be a dollar: %j', (_name, network, asset, allowed, expected) => {
  expect(isKnownDollar({ network, asset }, allowed)).toBe(expected);
});
