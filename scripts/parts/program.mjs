import { ensureInstalled } from './installation.mjs';
import { onStopSignal, spawnGroup, stopAllGroups } from './process-groups.mjs';
import { ensureBuilt, ensureBundled } from './production-build.mjs';
import { createProgress } from './progress.mjs';
import { inRepository } from './repository.mjs';

/**
 * Runs a bundled program with this command's arguments, input and output. Reports the installation of packages and the
 * bundling on standard error, because the program writes to standard output.
 *
 * @param {string} name name of the program in `dist/`
 * @param {{args?: string[], pages?: boolean}} [options] `pages` also builds the pages
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
    // Keeps the program in the terminal's foreground group, because only this group may read input.
    detached: false,
  });
  program.child = child;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
