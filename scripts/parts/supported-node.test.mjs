import fs from 'node:fs';
import { expect, test } from 'vitest';

import { isSupportedNode, oldestNode } from './supported-node.mjs';
import { inRepository } from './repository.mjs';

test('Node is supported from the oldest version on, part by part', () => {
  for (const version of ['22.15.0', '22.15.1', '22.20.0', '24.0.0', '24.21.0'])
    expect(isSupportedNode(version), version).toBe(true);
  for (const version of ['22.14.9', '22.2.0', '20.20.2', '9.0.0'])
    expect(isSupportedNode(version), version).toBe(false);
});

test('package.json names the same oldest version', () => {
  const { engines } = JSON.parse(fs.readFileSync(inRepository('package.json'), 'utf8'));
  expect(`${engines.node}.0`).toBe(`>=${oldestNode}`);
});
