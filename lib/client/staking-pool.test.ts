import { describe, expect, it } from 'vitest';
import { MisfitError } from './answer-schema';
import { readStakingPool } from './staking-pool';

describe('the staking pool of a gateway', () => {
  it('is read to the base unit', () => {
    expect(readStakingPool({ total: '123456789012345678901234567890', decimals: 18 }, '')).toEqual({
      total: 123456789012345678901234567890n,
      decimals: 18,
    });
  });

  it('is nothing where nothing can be staked', () => {
    expect(readStakingPool({ total: null }, '')).toBeNull();
  });

  it.each([
    undefined,
    null,
    [],
    {},
    { total: 1, decimals: 18 },
    { total: '-1', decimals: 18 },
    { total: '0x1', decimals: 18 },
    { total: '1', decimals: 1.5 },
    { total: '1', decimals: 255 },
    { total: '9'.repeat(79), decimals: 18 },
  ])('is not guessed from %j', (body) => {
    expect(() => readStakingPool(body, '')).toThrow(MisfitError);
  });
});
