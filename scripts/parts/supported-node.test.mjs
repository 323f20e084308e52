import fs from 'node:fs';
import { expect, test } from 'vitest';

import { isSupportedNode, oldestNode } from './supported-node.mjs';
import { inRepository } from './repository.mjs';

test('Node is supported from the oldest version on, part by part', () => {
  for (const version of ['24.15.0', '24.15.1', '24.21.0', '26.0.0'])
    expect(isSupportedNode(version), version).toBe(true);
  for (const version of ['24.14.9', '24.2.0', '22.23.3', '9.0.0'])
    expect(isSupportedNode(version), version).toBe(false);
});

test('package.json names the same oldest version', () => {
  const { engines } = JSON.parse(fs.readFileSync(inRepository('package.json'), 'utf8'));
  expect(`${engines.node}.0`).toBe(`>=${oldestNode}`);
});
