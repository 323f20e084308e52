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
 * Installs the packages if what stands in node_modules is not what
 * package-lock.json says for this machine. Says nothing if all is there.
 *
 * @param {import('./progress.mjs').Progress} progress
 * @param {{isBuilt?: boolean}} [options] `isBuilt`: nothing is to be built, so that what only building needs may be absent,
 *   as after `npm prune --omit=dev`
 * @throws {UsageError} a sentence, if npm cannot be run, has no network or fails
 */
export async function ensureInstalled(progress, { isBuilt = false } = {}) {
  const missing = missingPackages(isBuilt);
  if (missing === 0) return;
  const step = progress.step(missing === 1 ? 'Installing 1 package' : `Installing ${missing} packages`);
  // Building needs what npm calls development packages, whatever NODE_ENV says.
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

/** How many packages of the lock are absent here, or here in another version or for another machine. @param {boolean} isBuilt */
function missingPackages(isBuilt) {
  const locked = readPackages(inRepository('package-lock.json'));
  // npm writes this one last, so an interrupted install leaves the old one or none.
  const present = readPackages(inRepository('node_modules/.package-lock.json'));
  return countMissing(isBuilt ? withoutDevelopment(locked) : locked, present, process);
}

/** @param {LockedPackages} locked @returns {LockedPackages} what is left after `npm prune --omit=dev` */
export function withoutDevelopment(locked) {
  return Object.fromEntries(Object.entries(locked).filter(([, { dev }]) => !dev));
}

/**
 * Compares what package-lock.json asks for with what npm noted as installed.
 *
 * @param {LockedPackages} locked
 * @param {LockedPackages} present
 * @param {{platform: string, arch: string}} machine
 * @returns {number} how many packages are absent, of another version, or made for another machine
 */
export function countMissing(locked, present, machine) {
  let missing = 0;
  for (const [place, wanted] of Object.entries(locked)) {
    if (place === '' || !place.startsWith('node_modules/')) continue;
    const found = present[place];
    if (!found) {
      // npm leaves an optional package out where it does not fit or does not install.
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

/** @param {string[] | undefined} list as in package.json: names, or names with `!` before them @param {string} name */
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

/** The npm that runs this command, else the one on the path. @returns {[string, ...string[]]} */
export function npmCommand() {
  const running = process.env.npm_execpath;
  return running && running.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm'];
}

/** @param {string} output of npm */
function explainFailure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/.test(output)) {
    return (
      'The packages are not installed and npm cannot reach its registry. Connect this machine to the ' +
      'internet, or name a mirror with `npm config set registry URL`, and run the same command again.'
    );
  }
  if (/ENOSPC/.test(output)) return 'npm ran out of disk space while installing the packages.';
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `npm may not write to ${inRepository('node_modules')}. Check who owns that folder.\n\n${output.trim()}`;
  }
  return `npm could not install the packages:\n\n${output.trim()}`;
}
