import { expect, test } from 'vitest';
import { spread, waits } from './waiting-first';

test.each([
  ['/**\n * What it is about.\n *\n * @waits: for drains to end.\n */\n', true],
  ['/**\n * @waits:\n */\n', false],
  ["import 'x';\nexport const text = '@waits: for nobody';\n", false],
])('what a file says in %j is read', (source, isWaiting) => expect(waits(source)).toBe(isWaiting));

test.each([
  [
    [1, 2, 3, -4, 5, -6, 7, 8, -9],
    [-4, 1, 2, -6, 3, 5, -9, 7, 8],
  ],
  [
    [1, -2, -3, -4],
    [-2, 1, -3, -4],
  ],
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
  [[], []],
])('of files in the order %j, of which the negative ones wait, the order is %j', (files, order) =>
  expect(spread(files, (file) => file < 0)).toEqual(order),
);
