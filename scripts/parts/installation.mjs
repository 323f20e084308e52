import fs from 'node:fs';

import { UsageError } from './command-line.mjs';
import { runToEnd } from './process-groups.mjs';
import { inRepository } from './repository.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [peer]
 * @property {boolean} [devOptional]
 * @property {boolean} [dev]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 */

/** @typedef {Record<string, LockedPackage & Record<string, unknown>>} LockedPackages */

/**
 * Installs packages unless node_modules matches package-lock.json for this machine. Prints nothing if no package is
 * missing.
 *
 * @param {import('./progress.mjs').Progress} progress
 * @param {{isBuilt?: boolean}} [options] `isBuilt`: the product is already built, so development packages may be
 * missing, as they are after `npm prune --omit=dev`
 * @throws {UsageError} if npm cannot run, has no network or fails
 */
export async function ensureInstalled(progress, { isBuilt = false } = {}) {
  const missing = missingPackages(isBuilt);
  if (missing === 0) return;
  const step = progress.step(missing === 1 ? 'Installing 1 package' : `Installing ${missing} packages`);
  // The build needs development packages even if NODE_ENV is "production".
  const args = ['install', '--include=dev', '--no-audit', '--no-fund', '--no-save'];
  const [program, ...before] = npmCommand();
  const { code, output } = await runToEnd(program, [...before, ...args], { onLine: step.update }).catch(() => {
    step.failed();
    throw new UsageError('npm was not found. It comes with Node: https://nodejs.org');
  });
  if (code === 0) return step.done();
  step.failed();
  throw new UsageError(explainFailure(output));
}

/**
 * Returns how many locked packages are missing, or are installed in another version or for another machine.
 *
 * @param {boolean} isBuilt
 */
function missingPackages(isBuilt) {
  const locked = readPackages(inRepository('package-lock.json'));
  // npm writes this file last. After an interrupted install, the file is from the previous install or does not exist.
  const present = readPackages(inRepository('node_modules/.package-lock.json'));
  return countMissing(isBuilt ? withoutDevelopment(locked) : locked, present, process);
}

/** @param {LockedPackages} locked @returns {LockedPackages} the packages that `npm prune --omit=dev` keeps */
export function withoutDevelopment(locked) {
  return Object.fromEntries(Object.entries(locked).filter(([, { dev }]) => !dev));
}

/**
 * Compares the packages of package-lock.json with the installed ones.
 *
 * @param {LockedPackages} locked
 * @param {LockedPackages} present
 * @param {{platform: string, arch: string}} machine
 * @returns {number} packages that are missing, or installed in another version or for another machine
 */
export function countMissing(locked, present, machine) {
  let missing = 0;
  for (const [place, wanted] of Object.entries(locked)) {
    if (place === '' || !place.startsWith('node_modules/')) continue;
    const found = present[place];
    if (!found) {
      // npm may skip an optional package, for example because it does not fit this machine.
      if (!wanted.optional && !wanted.peer && !wanted.devOptional) missing += 1;
    } else if (found.version !== wanted.version || !fits(found, machine)) {
      missing += 1;
    }
  }
  return missing;
}

/** @param {LockedPackage} entry @param {{platform: string, arch: string}} machine */
function fits(entry, machine) {
  return allows(entry.os, machine.platform) && allows(entry.cpu, machine.arch);
}

/** @param {string[] | undefined} list names as in package.json; a `!` excludes a name @param {string} name */
function allows(list, name) {
  if (!list || list.length === 0) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((entry) => entry.startsWith('!'));
}

/** @param {string} file @returns {LockedPackages} */
function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/**
 * Returns the npm that runs this command. Without one, returns the npm in PATH.
 *
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const running = process.env.npm_execpath;
  return running && running.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm'];
}

/** @param {string} output npm's output */
function explainFailure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/.test(output)) {
    return (
      'The packages are not installed and npm cannot reach its registry. Connect this machine to the ' +
      'internet, or name a mirror with `npm config set registry URL`, and run the same command again.'
    );
  }
  if (/ENOSPC/.test(output)) return 'npm ran out of disk space while installing the packages.';
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `npm has no permission to write to ${inRepository('node_modules')}. Check who owns that folder.\n\n${output.trim()}`;
  }
  return `npm could not install the packages:\n\n${output.trim()}`;
}
