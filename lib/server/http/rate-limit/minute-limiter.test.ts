import { describe, expect, test } from 'vitest';
import { MinuteLimiter } from './minute-limiter';

const START = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const KEYS_MAX = 50_000;

describe('a limiter of many', () => {
  test('refuses what is beyond the limit until the minute of that one is over', () => {
    const limiter = new MinuteLimiter<string>(2, 'one address');
    limiter.take('a', START);
    limiter.take('a', START + 1);
    expect(() => limiter.take('a', START + 2)).toThrow(expect.objectContaining({ code: 'MINUTE_CAP' }));
    expect(() => limiter.take('b', START + 2)).not.toThrow();
    expect(() => limiter.take('a', START + MINUTE_MS)).not.toThrow();
  });

  test('that is full forgets minutes that are over before one that runs, however long its caller has been known', () => {
    const limiter = new MinuteLimiter<number | string>(1, 'one address');
    limiter.take('known', START);
    for (let key = 0; key < KEYS_MAX - 1; key++) limiter.take(key, START);
    limiter.take('known', START + MINUTE_MS);
    limiter.take('one more', START + MINUTE_MS);
    expect(() => limiter.take('known', START + MINUTE_MS + 1)).toThrow(expect.objectContaining({ code: 'MINUTE_CAP' }));
  });

  test('that is full of running minutes forgets those that end first', () => {
    const limiter = new MinuteLimiter<number>(1, 'one address');
    for (let key = 0; key <= KEYS_MAX; key++) limiter.take(key, START + key);
    expect(limiter.count(0, START + KEYS_MAX)).toBe(0);
    expect(limiter.count(KEYS_MAX / 10, START + KEYS_MAX)).toBe(1);
    expect(limiter.count(KEYS_MAX, START + KEYS_MAX)).toBe(1);
  });
});
