import { expect, it, vi } from 'vitest';
import { createListeners } from './stored-value';

it('tells every listener that has not left, also where one leaves while it is told', () => {
  const listeners = createListeners();
  const [stays, leaves, left] = [vi.fn(), vi.fn(() => leave()), vi.fn()];
  const leave = listeners.subscribe(leaves);
  listeners.subscribe(stays);
  listeners.subscribe(left)();
  listeners.tell();
  listeners.tell();
  expect([stays, leaves, left].map((listener) => listener.mock.calls.length)).toEqual([2, 1, 0]);
});
