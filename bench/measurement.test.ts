import { expect, test } from 'vitest';
import { inTurn, lawOf } from './measurement';

test('each target comes first as often as any, and behind each other one, so that none is measured better by its place', () => {
  const orders = (targets: readonly string[], rounds: number): string[] =>
    Array.from({ length: rounds }, (_none, index) => inTurn(targets, index + 1).join(''));
  expect(orders(['a', 'b'], 4)).toEqual(['ab', 'ba', 'ba', 'ab']);
  expect(orders(['a', 'b', 'c'], 6).toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  expect(orders(['a'], 2)).toEqual(['a', 'a']);
});

test('a time is said to grow as it does, and one that is too short for that is said to be constant', () => {
  const sizes = [1_000, 100_000];
  expect(lawOf([20, 22], sizes)).toBe('constant');
  expect(lawOf([20, 80], sizes)).toBe('logarithmic');
  expect(lawOf([20, 1_500], sizes)).toBe('linear');
  expect(lawOf([0.001, 0.9], sizes)).toBe('constant');
});
