import './parts/node-version.mjs';
import { readOptions, runCommand } from './parts/command-line.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { endOnStopSignal } from './parts/process-groups.mjs';
import { ensureBuilt } from './parts/production-build.mjs';
import { createProgress } from './parts/progress.mjs';

const help = `
npm run build -- [options]

Installs what is missing, then makes the production build: the pages in .next,
the programs in dist.

  --force      build everything, even if it is up to date
  -h, --help   this text
`;

/** `npm run build`. @returns {Promise<number>} exit code */
async function build() {
  const { force } = readOptions(help, { force: { type: 'boolean' } });
  endOnStopSignal();
  const progress = createProgress();
  await ensureInstalled(progress);
  const built = await ensureBuilt(progress, { force });
  if (!built) progress.line('The build is up to date.');
  return 0;
}

await runCommand(build);
