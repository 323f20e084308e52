import { expect, test } from 'vitest';

import { inTheirTurn, stages, stagesNamed } from './test-stages.mjs';

test('a stage begins when all that it comes after have ended, however they end, and beside all others', async () => {
  const [a, b, c, d] = [
    { name: 'a', label: 'A' },
    { name: 'b', label: 'B', after: ['A'] },
    { name: 'c', label: 'C' },
    { name: 'd', label: 'D', after: ['B', 'C', 'not chosen'] },
  ];
  /** @type {string[]} */
  const events = [];
  const ended = await inTheirTurn([a, b, c, d], async ({ label }) => {
    events.push(`${label} begins`);
    await new Promise((resolve) => setTimeout(resolve, label === 'C' ? 60 : 5));
    events.push(`${label} ends`);
    return label.toLowerCase();
  });

  expect(ended).toEqual(['a', 'b', 'c', 'd']);
  expect(events).toEqual(['A begins', 'C begins', 'A ends', 'B begins', 'B ends', 'C ends', 'D begins', 'D ends']);
});

test('what needs the build begins behind it, also where only that was chosen', async () => {
  /** @type {string[]} */
  const begun = [];
  let isBuilt = false;
  await inTheirTurn(stagesNamed(['e2e']), async ({ name }) => {
    begun.push(name);
    if (name === 'e2e') expect(isBuilt).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    isBuilt ||= name === 'build';
  });

  expect(begun).toEqual(['build', 'e2e']);
});

test('no stage is lost, and none waits for one that comes later or does not exist', async () => {
  const order = await inTheirTurn(stages, ({ label }) => Promise.resolve(label));
  expect(order).toEqual(stages.map(({ label }) => label));
  for (const [index, { after = [] }] of stages.entries()) {
    const before = stages.slice(0, index).map(({ label }) => label);
    for (const label of after) expect(before).toContain(label);
  }
  expect(new Set(order).size).toBe(stages.length);
});

test('the build comes once, before all that needs it, and with them alone', () => {
  const names = (/** @type {string[]} */ ...chosen) => stagesNamed(chosen).map(({ name }) => name);
  expect(stagesNamed([])).toEqual(stages);
  expect(names('attack')).toEqual(['build', 'attack']);
  expect(names('e2e', 'unit')).toEqual(['build', 'unit', 'e2e']);
  expect(names('unit', 'payments')).toEqual(['unit', 'payments']);
  const order = stages.map(({ name }) => name);
  expect(order.lastIndexOf('build')).toBe(order.indexOf('build'));
  for (const [index, { needsBuild }] of stages.entries())
    if (needsBuild) expect(order.indexOf('build')).toBeLessThan(index);
});
