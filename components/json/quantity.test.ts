import { describe, expect, it } from 'vitest';
import { readQuantity } from './summarize-quantity';

describe('a hexadecimal text is read as a number only where it is one', () => {
  it.each([
    ['0x0', '0'],
    ['0x1b4', '436'],
    [`0x${'f'.repeat(32)}`, '340,282,366,920,938,463,463,374,607,431,768,211,455'],
  ])('%s', (text, shown) => expect(readQuantity(text)).toBe(shown));
  it.each(['0x', '0x01', '1b4', `0x${'a'.repeat(40)}`, `0x${'a'.repeat(64)}`, '0xAB', '0x1g'])(
    '%s is not a quantity',
    (text) => expect(readQuantity(text)).toBeNull(),
  );
});
