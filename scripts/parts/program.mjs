import { ensureInstalled } from './installation.mjs';
import { onStopSignal, spawnGroup, stopAllGroups } from './process-groups.mjs';
import { ensureBuilt, ensureBundled } from './production-build.mjs';
import { createProgress } from './progress.mjs';
import { inRepository } from './repository.mjs';

/**
 * Runs a bundled program with this command's arguments, input and output. What
 * has to be installed or bundled first is told on standard error, so that
 * standard output is the program's alone.
 *
 * @param {string} name of the program in `dist/`
 * @param {{args?: string[], pages?: boolean}} [options] `pages` builds the pages too
 * @returns {Promise<number>} the program's exit code
 */
export async function runProgram(name, { args = process.argv.slice(2), pages = false } = {}) {
  /** @type {{child?: import('node:child_process').ChildProcess}} */
  const program = {};
  onStopSignal(async (signal) => {
    if (program.child) return void program.child.kill(signal);
    await stopAllGroups();
    process.exit(130);
  });
  const progress = createProgress(process.stderr);
  await ensureInstalled(progress);
  await (pages ? ensureBuilt(progress) : ensureBundled(progress));
  const child = spawnGroup(process.execPath, ['--enable-source-maps', inRepository('dist', `${name}.mjs`), ...args], {
    stdio: 'inherit',
    // The terminal's group: a program that asks questions must be allowed to read.
    detached: false,
  });
  program.child = child;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
