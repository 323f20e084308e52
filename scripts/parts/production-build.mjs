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
 * Builds the pages and the programs if their sources have changed since the last build, or if another process has
 * replaced the output of that build.
 *
 * @param {Pick<import('./progress.mjs').Progress, 'step'>} progress
 * @param {{force?: boolean}} [options] `force` builds even without changes
 * @returns {Promise<boolean>} whether it built
 * @throws {UsageError} with the build's whole output, if the build fails
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

export function isBuilt() {
  const stamp = readStamp();
  return stamp.sources === hashSources() && stamp.buildId === readBuildId() && bundlesExist();
}

/**
 * Bundles only the programs, if their sources have changed. Used by commands that need no pages.
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
  // Reads the stamp again, because another build may have ended in the meantime.
  writeStamp({ ...readStamp(), bundles: sources });
  step.done();
}

function bundlesExist() {
  return Object.keys(programs).every((name) => fs.existsSync(inRepository('dist', `${name}.mjs`)));
}

/** Returns Next's build id in `.next`; undefined without a build. */
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
