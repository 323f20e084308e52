import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { hashSources } from './source-hash.mjs';

/** @type {string} */
let root;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'source-hash-'));
  write('scripts/bundle.mjs', 'bundle');
  write('scripts/parts/built-in-packages.mjs', 'all');
  write('lib/a.ts', 'a');
});
afterEach(() => fs.rmSync(root, { recursive: true }));

/** @param {string} file @param {string} content */
function write(file, content) {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), content);
}

describe('a build is stale', () => {
  test.each([
    ['a source changed', 'lib/a.ts', 'b'],
    ['a source was added', 'lib/deep/b.ts', ''],
    ['a file at the root that nobody listed changed', 'proxy.ts', 'x'],
    ['the packages changed', 'package-lock.json', '{}'],
    ['the bundler changed', 'scripts/bundle.mjs', 'other'],
    ['other packages are built in', 'scripts/parts/built-in-packages.mjs', 'none'],
  ])('if %s', (_why, file, content) => {
    const before = hashSources(root);
    write(file, content);
    expect(hashSources(root)).not.toBe(before);
  });

  test('if a source moved', () => {
    const before = hashSources(root);
    fs.renameSync(path.join(root, 'lib/a.ts'), path.join(root, 'lib/b.ts'));
    expect(hashSources(root)).not.toBe(before);
  });

  test('if text moved from one source to the next', () => {
    write('lib/a.ts', 'ab');
    write('lib/b.ts', 'c');
    const before = hashSources(root);
    write('lib/a.ts', 'a');
    write('lib/b.ts', 'bc');
    expect(hashSources(root)).not.toBe(before);
  });
});

describe('a build is not stale', () => {
  test.each([
    'lib/a.test.ts',
    'docs/guide.md',
    'README.md',
    'data/turnpike.db',
    'dist/server.mjs',
    'packages/client/dist/main.js',
    'packages/client/client-1.0.0.tgz',
    'packages/client/THIRD-PARTY-NOTICES.md',
    'e2e/rpc.spec.ts',
    '.env.local',
    'turnpike.config.json',
    'turnpike_secret',
    'turnpike.dump',
    'secrets/postgres_password',
  ])('because of %s', (file) => {
    const before = hashSources(root);
    write(file, 'anything');
    expect(hashSources(root)).toBe(before);
  });

  test('because of new file times alone', () => {
    const before = hashSources(root);
    fs.utimesSync(path.join(root, 'lib/a.ts'), 1, 1);
    expect(hashSources(root)).toBe(before);
  });
});
