import { describe, expect, it } from 'vitest';
import { readTexts } from './keyed-texts';

describe('texts that were begun', () => {
  it.each([
    ['by their places', { new: 'a', 'edit t1': 'b' }, { new: 'a', 'edit t1': 'b' }],
    ['without what is no text', { new: 7, c1: 'x' }, { c1: 'x' }],
    ['not from a list', ['a'], null],
    ['not from nothing', null, null],
  ])('come back: %s', (_what, stored, expected) => expect(readTexts(stored)).toEqual(expected));

  it('are bounded', () => {
    expect(
      Object.keys(readTexts(Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`c${index}`, 'x']))) ?? {}),
    ).toHaveLength(50);
  });
});
