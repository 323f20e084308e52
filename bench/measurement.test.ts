import { expect, test } from 'vitest';
import { inTurn } from './measurement';

test('each target comes first as often as any, and behind each other one, so that none is measured better by its place', () => {
  const orders = (targets: readonly string[], rounds: number): string[] =>
    Array.from({ length: rounds }, (_none, index) => inTurn(targets, index + 1).join(''));
  expect(orders(['a', 'b'], 4)).toEqual(['ab', 'ba', 'ba', 'ab']);
  expect(orders(['a', 'b', 'c'], 6).toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  expect(orders(['a'], 2)).toEqual(['a', 'a']);
});
