import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { changedFiles } from './changed-files.mjs';

let folder = '';
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder, stdio: 'pipe' });
const write = (/** @type {string} */ file, /** @type {string} */ text) =>
  fs.writeFileSync(path.join(folder, file), text);

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'changed-'));
  git('init', '-q');
  write('kept.ts', '1');
  write('gone.ts', '1');
  git('add', '.');
  git('commit', '-qm', 'first');
  write('second.ts', '1');
  fs.rmSync(path.join(folder, 'gone.ts'));
  git('add', '-A');
  git('commit', '-qm', 'second');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('without uncommitted work it is the last commit, without what it deleted', () => {
  expect(changedFiles(undefined, folder)).toEqual({ since: 'HEAD~1', files: ['second.ts'] });
});

test('uncommitted work goes first, new files included', () => {
  write('kept.ts', '2');
  write('new.ts', '1');
  expect(changedFiles(undefined, folder)).toEqual({ since: 'HEAD', files: ['kept.ts', 'new.ts'] });
  expect(changedFiles('HEAD~1', folder).files).toEqual(['kept.ts', 'new.ts', 'second.ts']);
});

test('a commit that there is not is refused in a sentence', () => {
  expect(() => changedFiles('no-such-branch', folder)).toThrow(/--since takes a commit, a branch or a tag/);
});
