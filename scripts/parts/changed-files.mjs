import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { UsageError } from './command-line.mjs';
import { repositoryRoot } from './repository.mjs';

/**
 * Lists files that differ from a commit, including new files but not deleted ones.
 *
 * @param {string} [since] commit; by default HEAD, or the parent of HEAD if there are no uncommitted changes
 * @param {string} [folder] folder of the checkout
 * @returns {{since: string, files: string[]}} paths from the checkout's root
 * @throws {UsageError} if git does not know the commit
 */
export function changedFiles(since, folder = repositoryRoot) {
  if (since === undefined) {
    const uncommitted = differing('HEAD', folder);
    return uncommitted.length > 0
      ? { since: 'HEAD', files: uncommitted }
      : { since: 'HEAD~1', files: differing('HEAD~1', folder) };
  }
  return { since, files: differing(since, folder) };
}

/** @param {string} since @param {string} folder */
function differing(since, folder) {
  const lines = [
    ...git(['diff', '--name-only', '--relative', since, '--'], folder),
    ...git(['ls-files', '--others', '--exclude-standard'], folder),
  ];
  return [...new Set(lines)].filter((file) => fs.existsSync(`${folder}/${file}`)).sort();
}

/** @param {string[]} args @param {string} cwd */
function git(args, cwd) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new UsageError(
      `git ${args.join(' ')} failed: ${(stderr ?? '').trim().split('\n')[0] || 'git was not found'}. --since takes a commit, a branch or a tag.`,
    );
  return stdout.split('\n').filter(Boolean);
}
