import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { inRepository, repositoryRoot } from './parts/repository.mjs';

/** Folders that are built, installed or local to one machine, and every name that begins with a dot. */
const NOT_OURS = /^(?:\.|node_modules$|dist|data$|coverage$|test-results$|playwright-report$)/;
const TEST = /\.(?:test\.(?:ts|tsx|mjs)|spec\.ts)$/;

const rows = readFileSync(inRepository('docs/guarantees.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what you can rely on |'));
const named = rows.map(shownBy);

/** @param {string} row @returns {string[]} the paths in the row's second column */
function shownBy(row) {
  return [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => String(file));
}

/** @returns {string[]} every test file of the repository, from its root */
function testFiles() {
  const entries = readdirSync(repositoryRoot, { withFileTypes: true }).filter(({ name }) => !NOT_OURS.test(name));
  const files = entries.flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(inRepository(entry.name), { recursive: true, encoding: 'utf8' }).map((file) =>
          path.posix.join(entry.name, file.split(path.sep).join('/')),
        )
      : [entry.name],
  );
  return files.filter((file) => TEST.test(file)).sort();
}

/**
 * @param {readonly string[]} files
 * @param {readonly string[]} paths
 * @returns {string[]} files whose path and folder are both missing from `paths`
 */
function uncovered(files, paths) {
  const covered = new Set(paths);
  return files.filter((file) => !covered.has(file) && !covered.has(`${path.posix.dirname(file)}/`));
}

describe('docs/guarantees.md', () => {
  test('says of each guarantee in one sentence what can be relied on, and which tests show it', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => !/^\| \S.+\. \| (?:`[^`]+`(?:, (?=`)| \|$))+$/.test(row))).toEqual([]);
  });

  test('names tests that exist, and folders with tests directly in them', () => {
    const files = testFiles();
    const known = new Set([...files, ...files.map((file) => `${path.posix.dirname(file)}/`)]);
    expect(named.flat().filter((file) => !known.has(file))).toEqual([]);
  });

  test('leaves no test file out', () => {
    const files = testFiles();
    expect(files.length).toBeGreaterThan(400);
    expect(uncovered(files, named.flat())).toEqual([]);
  });
});

test('a test without a row is found, also in a folder below one that stands for its tests', () => {
  const files = ['lib/a/one.test.ts', 'lib/a/two.test.ts', 'lib/a/below/three.test.ts', 'lib/b/four.test.ts'];
  expect(uncovered(files, ['lib/a/', 'lib/b/four.test.ts'])).toEqual(['lib/a/below/three.test.ts']);
  expect(uncovered(files, ['lib/a/one.test.ts'])).toEqual(files.slice(1));
});
