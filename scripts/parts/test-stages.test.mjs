import { expect, test } from 'vitest';

import { sideBySide, stages, stagesNamed } from './test-stages.mjs';

test('stages of one word that follow each other run at once, all others by themselves, in their order', () => {
  const [a, b, c, d, e] = [{ beside: 'x' }, { beside: 'x' }, {}, {}, { beside: 'x' }];
  expect(sideBySide([a, b, c, d, e])).toEqual([[a, b], [c], [d], [e]]);
  expect(sideBySide([])).toEqual([]);
});

test('no stage is lost, the checks run at once with the units behind the lint, the stages with gateways in rows, and the browser alone', () => {
  const batches = sideBySide(stages);
  expect(batches.flat()).toEqual(stages);
  expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([['types', 'lint', 'advisories', 'build', 'unit'], ['contract', 'attack', 'payments', 'contract', 'contract'], ['e2e']]);
  const [checks, gateways] = batches.filter(({ length }) => length > 1);
  expect(checks?.filter(({ after }) => after === undefined)).toHaveLength(3);
  expect(gateways?.filter(({ after }) => after === undefined)).toHaveLength(2);
});

test('the build comes once, before all that needs it, and with them alone', () => {
  const names = (/** @type {string[]} */ ...chosen) => stagesNamed(chosen).map(({ name }) => name);
  expect(stagesNamed([])).toEqual(stages);
  expect(names('attack')).toEqual(['build', 'attack']);
  expect(names('e2e', 'unit')).toEqual(['build', 'unit', 'e2e']);
  expect(names('unit', 'payments')).toEqual(['unit', 'payments']);
  const order = stages.map(({ name }) => name);
  expect(order.lastIndexOf('build')).toBe(order.indexOf('build'));
  for (const [index, { needsBuild }] of stages.entries()) if (needsBuild) expect(order.indexOf('build')).toBeLessThan(index);
});

test('a stage that comes after another stands beside it, behind it', () => {
  for (const batch of sideBySide(stages)) {
    for (const [index, { after }] of batch.entries()) if (after !== undefined) expect(batch.slice(0, index).map(({ label }) => label)).toContain(after);
  }
  expect(new Set(stages.map(({ label }) => label)).size).toBe(stages.length);
});
