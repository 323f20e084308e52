import { describe, expect, it } from 'vitest';
import { readFields } from './text-drafts';

const EMPTY = { name: '', amount: '10' };

describe('fields that were kept', () => {
  it.each([
    ['all of them', { name: 'a', amount: '5' }, { name: 'a', amount: '5' }],
    ['some of them', { name: 'a' }, { name: 'a', amount: '10' }],
    ['what the form has not, or no text', { name: 7, other: 'x', __proto__: { amount: '1' } }, EMPTY],
    ['nothing of use', 'x', null],
    ['nothing', null, null],
  ])('come back: %s', (_what, stored, expected) => expect(readFields(stored, EMPTY)).toEqual(expected));
});
