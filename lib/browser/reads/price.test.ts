import { describe, expect, it } from 'vitest';
import { readPrice } from './price';

describe('the price of a credit', () => {
  it('is read exactly', () => {
    expect(readPrice('0.0000007')).toBe(700);
    expect(readPrice('0')).toBe(0);
  });

  it.each([null, '', '7e-7', '-1', '0.0000000001', 'free'])('is not guessed from %j', (text) =>
    expect(readPrice(text)).toBeNull(),
  );
});
