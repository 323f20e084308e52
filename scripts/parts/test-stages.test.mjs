import { expect, test } from 'vitest';

import { sideBySide, stages } from './test-stages.mjs';

test('stages of one word that follow each other run at once, all others by themselves, in their order', () => {
  const [a, b, c, d, e] = [{ beside: 'x' }, { beside: 'x' }, {}, {}, { beside: 'x' }];
  expect(sideBySide([a, b, c, d, e])).toEqual([[a, b], [c], [d], [e]]);
  expect(sideBySide([])).toEqual([]);
});

test('no stage is lost, and none that starts gateways or browsers shares the machine with another', () => {
  const batches = sideBySide(stages);
  expect(batches.flat()).toEqual(stages);
  for (const batch of batches.filter(({ length }) => length > 1)) expect(batch.map(({ name }) => name)).toEqual(['types', 'lint', 'advisories']);
});
