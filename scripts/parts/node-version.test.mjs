import fs from 'node:fs';
import { expect, test } from 'vitest';

import { isSupportedNode, oldestNode } from './node-version.mjs';
import { inRepository } from './repository.mjs';

test('Node is supported from the oldest version on, part by part', () => {
  for (const version of ['20.19.0', '20.19.1', '20.20.0', '22.0.0', '24.1.0']) expect(isSupportedNode(version), version).toBe(true);
  for (const version of ['20.18.9', '20.2.0', '18.99.0', '9.0.0']) expect(isSupportedNode(version), version).toBe(false);
});

test('package.json names the same oldest version', () => {
  const { engines } = JSON.parse(fs.readFileSync(inRepository('package.json'), 'utf8'));
  expect(`${engines.node}.0`).toBe(`>=${oldestNode}`);
});
