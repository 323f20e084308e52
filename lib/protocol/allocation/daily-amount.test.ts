import { describe, expect, it } from 'vitest';
import { dailyAmount } from './daily-amount';

const TOKEN = 10n ** 18n;
const POOL = 100_000_000_000;

describe('the allocation of a stake', () => {
  it.each([
    [TOKEN, TOKEN, POOL, 'the only staker has it all'],
    [TOKEN, 4n * TOKEN, POOL / 4, 'a quarter'],
    [TOKEN, 3n * TOKEN, 33_333_333_333, 'a third, rounded down'],
    [TOKEN / 10n, TOKEN, POOL / 10, 'just 0.1'],
    [TOKEN / 10n - 1n, TOKEN, 0, 'a base unit under 0.1'],
    [0n, TOKEN, 0, 'nothing staked'],
    [0n, 0n, 0, 'nobody stakes'],
    [TOKEN, 0n, 0, 'a total that makes no sense'],
    [2n * TOKEN, TOKEN, POOL, 'more than the total: never more than the pool'],
    [TOKEN, 10n ** 30n * TOKEN, 0, 'less than a billionth of a dollar'],
    [123_456_789_012_345_678_901n, 987_654_321_098_765_432_109_876n, 12_499_999, 'beyond what a double holds, exactly'],
  ])('%s of %s is %s nano-USD: %s', (staked, total, amount) => {
    expect(dailyAmount({ staked, total, decimals: 18 }, POOL)).toBe(amount);
  });

  it('goes by the decimals of the token', () => {
    expect(dailyAmount({ staked: 100_000n, total: 1_000_000n, decimals: 6 }, POOL)).toBe(POOL / 10);
    expect(dailyAmount({ staked: 99_999n, total: 1_000_000n, decimals: 6 }, POOL)).toBe(0);
    expect(dailyAmount({ staked: 1n, total: 2n, decimals: 0 }, POOL)).toBe(POOL / 2);
  });
});
