import { describe, expect, it } from 'vitest';
import { familyOfChain } from './wallet-address';

describe('the family of the wallets of a chain', () => {
  it.each([
    ['eip155:8453', 'evm'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana'],
  ])('of %s is %s', (caip2, family) => {
    expect(familyOfChain(caip2)).toBe(family);
  });

  it.each(['', '8453', 'solana', 'SOLANA:x', 'starknet:SN_MAIN'])(
    'of %j there is none, and none is taken for it',
    (caip2) => {
      expect(() => familyOfChain(caip2)).toThrow(RangeError);
    },
  );
});
