import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { repositoryRoot } from './repository.mjs';

// Entries that are not sources of a build. All other folders count as sources. If the hash missed a source, a stale
// build would stay in use; hashing an unrelated file only causes a rebuild.
const ignoredEntries = new Set([
  '.ci',
  '.git',
  '.github',
  '.next',
  '.vscode',
  'coverage',
  'data',
  'dist',
  'docs',
  'e2e',
  'next-env.d.ts',
  'node_modules',
  'oxlint.config.mjs',
  'playwright-report',
  'playwright.config.ts',
  'scripts',
  'secrets',
  'test-results',
  'vitest.config.ts',
]);
const needed = ['scripts/bundle.mjs', 'scripts/parts/built-in-packages.mjs'];
// All other files at the root are documents or the operator's own files, such as configuration, secrets, exports and
// dumps.
const rootSource = /\.(?:ts|mjs|css)$|^(?:package|package-lock|tsconfig)\.json$/;
const ignoredFile = /\.test\.(ts|tsx|mjs)$|\.tsbuildinfo$|\.tgz$|^THIRD-PARTY-NOTICES\.md$|^\.|~$/;

/**
 * Hashes the paths and contents of all sources that a build reads, Node's major version, and the `NEXT_PUBLIC_`
 * variables, which Next writes into the pages. Ignores file times, so that a new checkout does not cause a rebuild.
 *
 * @param {string} [root]
 * @returns {string} hex
 */
export function hashSources(root = repositoryRoot) {
  const hash = createHash('sha256');
  for (const file of [...listSources(root), ...needed]) {
    const content = fs.readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  for (const name of Object.keys(process.env)
    .filter((key) => key.startsWith('NEXT_PUBLIC_'))
    .sort()) {
    hash.update(`${name}=${process.env[name]}\0`);
  }
  hash.update(process.versions.node.split('.')[0] ?? '');
  return hash.digest('hex');
}

/** @param {string} root @returns {string[]} paths relative to root, sorted, with `/` */
function listSources(root) {
  /** @type {string[]} */
  const files = [];
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (folder === '' && ignoredEntries.has(entry.name)) continue;
      if (folder === '' && entry.isFile() && !rootSource.test(entry.name)) continue;
      if (entry.isDirectory()) {
        if (entry.name !== 'dist') walk(name);
      } else if (entry.isFile() && !ignoredFile.test(entry.name)) files.push(name);
    }
  };
  walk('');
  return files.sort();
}
