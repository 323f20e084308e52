import { expect, it } from 'vitest';
import { AttemptBudget } from './attempt-budget';

const takeAll = (budget: AttemptBudget, now: number): number => {
  let taken = 0;
  while (taken < 1_000 && budget.take(now)) taken++;
  return taken;
};

it('a burst can be taken at once, and no more', () => {
  expect(takeAll(new AttemptBudget(0.1), 1)).toBe(100);
});

it('calls earn their share', () => {
  const budget = new AttemptBudget(0.1);
  takeAll(budget, 1);
  for (let i = 0; i < 205; i++) budget.earn();
  expect(takeAll(budget, 1)).toBe(20);
});

it('time earns one a second, and idle time no more than the burst', () => {
  const budget = new AttemptBudget(0.1);
  takeAll(budget, 1);
  expect(takeAll(budget, 3_001)).toBe(3);
  expect(takeAll(budget, 10_000_000)).toBe(100);
});

it('a share of 0 allows nothing', () => {
  const budget = new AttemptBudget(0);
  for (let i = 0; i < 1_000; i++) budget.earn();
  expect(takeAll(budget, 100_000)).toBe(0);
});
