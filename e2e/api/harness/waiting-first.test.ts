import { expect, test } from 'vitest';
import { waits } from './waiting-first';

test.each([
  ['/**\n * What it is about.\n *\n * @waits: for drains to end.\n */\n', true],
  ['/**\n * @waits:\n */\n', false],
  ["import 'x';\nexport const text = '@waits: for nobody';\n", false],
])('what a file says in %j is read', (source, isWaiting) => expect(waits(source)).toBe(isWaiting));
