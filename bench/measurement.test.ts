import { expect, test } from 'vitest';
import { inTurn } from './measurement';

test('each target comes first in every other round, so that none is measured better by its place', () => {
  const order = [1, 2, 3, 4].map((round) => inTurn(['gateway', 'baseline'], round).join());
  expect(order).toEqual(['gateway,baseline', 'baseline,gateway', 'gateway,baseline', 'baseline,gateway']);
});
