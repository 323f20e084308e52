import fs from 'node:fs';

import { bundle, programs } from '../bundle.mjs';
import { UsageError } from './command-line.mjs';
import { compressPageFiles } from './page-files.mjs';
import { runToEnd } from './process-groups.mjs';
import { inRepository } from './repository.mjs';
import { hashSources } from './source-hash.mjs';

const stampFile = inRepository('dist/build.json');

/** @typedef {{sources?: string, bundles?: string, buildId?: string}} BuildStamp */

/**
 * Builds the pages and the programs if their sources changed since the last
 * build, or if somebody else has built meanwhile.
 *
 * @param {Pick<import('./progress.mjs').Progress, 'step'>} progress
 * @param {{force?: boolean}} [options] `force` builds even what is up to date
 * @returns {Promise<boolean>} whether something was built
 * @throws {UsageError} with the whole output of the build, if it fails
 */
export async function ensureBuilt(progress, { force = false } = {}) {
  if (isBuilt() && !force) return false;
  const sources = hashSources();

  const step = progress.step('Building');
  const { code, output } = await runToEnd(
    process.execPath,
    [inRepository('node_modules/next/dist/bin/next'), 'build'],
    {
      cwd: inRepository(),
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      onLine: step.update,
    },
  );
  if (code !== 0) {
    step.failed();
    throw new UsageError(`The build failed.\n\n${output.trim()}`);
  }
  await compressPageFiles(inRepository('.next'), readBuildId() ?? '');
  writeStamp({ sources, bundles: sources, buildId: readBuildId() });
  step.done();
  return true;
}

/** Whether the pages and the programs stand as these sources make them. */
export function isBuilt() {
  const stamp = readStamp();
  return stamp.sources === hashSources() && stamp.buildId === readBuildId() && bundlesExist();
}

/**
 * Bundles the programs alone if their sources changed: what a command needs that
 * serves no pages.
 *
 * @param {import('./progress.mjs').Progress} progress
 * @throws {UsageError} with file and line, if a source does not compile
 */
export async function ensureBundled(progress) {
  const sources = hashSources();
  const stamp = readStamp();
  if (stamp.bundles === sources && bundlesExist()) return;
  const step = progress.step('Bundling');
  try {
    await bundle();
  } catch (error) {
    step.failed();
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  // Read again: a build may have ended meanwhile.
  writeStamp({ ...readStamp(), bundles: sources });
  step.done();
}

function bundlesExist() {
  return Object.keys(programs).every((name) => fs.existsSync(inRepository('dist', `${name}.mjs`)));
}

/** Next's name of the build that stands in `.next`; absent if there is none. */
function readBuildId() {
  try {
    return fs.readFileSync(inRepository('.next/BUILD_ID'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** @returns {BuildStamp} */
function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {BuildStamp} stamp */
function writeStamp(stamp) {
  fs.mkdirSync(inRepository('dist'), { recursive: true });
  fs.writeFileSync(stampFile, `${JSON.stringify(stamp, undefined, 2)}\n`);
}
