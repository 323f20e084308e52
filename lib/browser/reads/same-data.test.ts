import { describe, expect, it } from 'vitest';
import { isSameData } from './read-cache';

describe('two answers', () => {
  it.each([
    ['numbers', 1, 1],
    ['nothing', null, null],
    ['lists', [1, [2]], [1, [2]]],
    ['objects, in whatever order', { a: 1, b: { c: [null] } }, { b: { c: [null] }, a: 1 }],
    ['what is not there', { a: undefined }, { a: undefined }],
  ])('say the same: %s', (_name, one, other) => expect(isSameData(one, other)).toBe(true));

  it.each([
    ['numbers', 1, 2],
    ['a number and its text', 1, '1'],
    ['nothing and an object', null, {}],
    ['a list and an object', [], {}],
    ['lists of other lengths', [1], [1, 2]],
    ['a missing member', { a: 1 }, { a: 1, b: 2 }],
    ['a member under another name', { a: undefined }, { b: undefined }],
    ['a member that every object inherits', { toString: 1 }, { b: 1 }],
    ['something deep down', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
    ['bytes, which are only themselves', new Blob(['a']), new Blob(['a'])],
    ['moments, which are only themselves', new Date(0), new Date(0)],
  ])('do not: %s', (_name, one, other) => expect(isSameData(one, other)).toBe(false));
});
