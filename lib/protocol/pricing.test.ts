import { describe, expect, it } from 'vitest';

import { findNetwork } from './networks';
import { parseUsd } from './parse-usd';
import {
  COST_HEADER_DECIMALS,
  costNanoUsd,
  creditsOf,
  DEFAULT_PRICE_PER_CREDIT_NANO_USD,
  ERROR_CREDITS,
  formatUsd,
  spokenUsd,
  TIER_MULTIPLIER,
} from './pricing';
import { isRefusal, lookUpMethod } from './rpc-methods';

function credits(slug: string, name: string): number {
  const network = findNetwork(slug);
  const method = lookUpMethod(name);
  if (network === undefined || isRefusal(method)) throw new Error(`no ${name} on ${slug}`);
  return creditsOf(network, method);
}

describe('credits (spec, RPC proxy rules 2, 4 and 5)', () => {
  it('has three tiers, with multipliers 1, 2 and 4', () => {
    expect(TIER_MULTIPLIER).toEqual({ standard: 1, advanced: 2, large: 4 });
  });

  it.each([
    ['ethereum-mainnet', 'eth_call', 20],
    ['ethereum-mainnet', 'trace_block', 40],
    ['ethereum-mainnet', 'trace_replayTransaction', 80],
    ['zksync-mainnet', 'zks_L1BatchNumber', 30],
    ['solana-mainnet', 'getSlot', 30],
    ['solana-mainnet', 'getSupply', 120],
  ])('illustrative cost: %s %s is %i credits', (slug, name, expected) => {
    expect(credits(slug, name)).toBe(expected);
  });

  it('a batch of a 20-credit success and an error item is charged 25 credits in total', () => {
    expect(credits('base-mainnet', 'eth_getBalance') + ERROR_CREDITS).toBe(25);
  });
});

describe('costNanoUsd', () => {
  it('the cost header of 20 credits is 0.00001400', () => {
    const cost = costNanoUsd(20, DEFAULT_PRICE_PER_CREDIT_NANO_USD);
    expect(formatUsd(cost, COST_HEADER_DECIMALS)).toBe('0.00001400');
  });

  it('the largest batch costs exactly its credits times the price', () => {
    expect(formatUsd(costNanoUsd(100 * 120, 700), 8)).toBe('0.00840000');
    expect(costNanoUsd(10_000_000, 700)).toBe(7_000_000_000);
  });

  it('nothing costs nothing', () => {
    expect(costNanoUsd(0, 700)).toBe(0);
    expect(costNanoUsd(20, 0)).toBe(0);
  });

  it.each([
    [-1, 700],
    [20, -700],
    [0.5, 700],
    [20, 0.7],
    [Number.NaN, 700],
    [20, Number.POSITIVE_INFINITY],
    [Number.MAX_SAFE_INTEGER, 2],
    [2 ** 53, 1],
  ])('refuses %d credits at %d nano-USD rather than lose a digit', (count, price) => {
    expect(() => costNanoUsd(count, price)).toThrow(RangeError);
  });
});

describe('formatUsd', () => {
  it.each([
    [0, 8, '0.00000000'],
    [14_000, 8, '0.00001400'],
    [1, 9, '0.000000001'],
    [1_000_000_000, 2, '1.00'],
    [1_234_567_890, 6, '1.234568'],
    [12_000_000_000, 0, '12'],
    [Number.MAX_SAFE_INTEGER, 9, '9007199.254740991'],
    [Number.MAX_SAFE_INTEGER, 2, '9007199.25'],
    [-14_000, 8, '-0.00001400'],
    [-5_000_000_000, 2, '-5.00'],
  ])('writes %i nano-USD to %i places as %s', (amount, decimals, expected) => {
    expect(formatUsd(amount, decimals)).toBe(expected);
  });

  it.each([
    [3_125, 8, '0.00000313'],
    [3_124, 8, '0.00000312'],
    [499_999_999, 0, '0'],
    [500_000_000, 0, '1'],
    [999_999_999, 2, '1.00'],
    [9_995_000_000, 2, '10.00'],
  ])('rounds half up: %i to %i places is %s', (amount, decimals, expected) => {
    expect(formatUsd(amount, decimals)).toBe(expected);
    expect(formatUsd(-amount, decimals)).toBe(expected === '0' ? '0' : `-${expected}`);
  });

  it('what rounds to zero has no sign', () => {
    expect(formatUsd(-1, 8)).toBe('0.00000000');
    expect(formatUsd(-0, 2)).toBe('0.00');
  });

  it.each([
    [0.5, 2],
    [Number.NaN, 2],
    [2 ** 53, 2],
    [1, -1],
    [1, 10],
    [1, 1.5],
    [1, Number.NaN],
  ])('refuses %d to %d places', (amount, decimals) => {
    expect(() => formatUsd(amount, decimals)).toThrow(RangeError);
  });
});

describe('parseUsd', () => {
  it.each([
    ['0', 0],
    ['0.0', 0],
    ['12', 12_000_000_000],
    ['0.50', 500_000_000],
    ['0.000000001', 1],
    ['9007199.254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %s exactly', (text, expected) => {
    expect(parseUsd(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e3',
    '1E-9',
    'NaN',
    'Infinity',
    '0x10',
    '1,000',
    '1_000',
    ' 1',
    '1 ',
    '1\n',
    '01',
    '00.1',
    '1.0000000001',
    '1.2.3',
    '$1',
    '١',
    '1'.repeat(400),
  ])('refuses %j', (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError);
  });

  it.each(['9007199.254740992', '9007200', '9999999999999999'])('refuses %s, over the bound, and names it', (text) => {
    expect(() => parseUsd(text)).toThrow('at most 9007199.254740991');
  });

  it('gives back every amount that was written with all its places', () => {
    let amount = 1;
    for (let step = 0; step < 2_000; step += 1) {
      amount = (amount * 48_271 + step) % Number.MAX_SAFE_INTEGER;
      const whole = Math.floor(amount);
      expect(parseUsd(formatUsd(whole, 9))).toBe(whole);
    }
  });
});

it.each([
  [0, '0.00'],
  [1_500_000_000, '1.50'],
  [14_000, '0.000014'],
  [1, '0.000000001'],
  [10_000_000_000, '10.00'],
  [-250_000_000, '-0.25'],
])('an amount for people has cents, and no zeros after what it has: %d is %s', (nanoUsd, text) => {
  expect(spokenUsd(nanoUsd)).toBe(text);
});
