import './parts/node-version.mjs';
import path from 'node:path';
import { readOptions, runCommand, UsageError } from './parts/command-line.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { endOnStopSignal } from './parts/process-groups.mjs';
import { ensureBuilt } from './parts/production-build.mjs';
import { createProgress } from './parts/progress.mjs';
import { assembleRuntime } from './parts/runtime-folder.mjs';

const help = `
npm run runtime -- --to FOLDER

Builds what changed, then copies a runnable gateway (live profile) to a new or
empty folder: programs, pages and the used files of each package. Start it there
with "node dist/server.mjs", without npm or a build. "node dist/admin.mjs" is
npm run admin. Container images use this folder.

  --to FOLDER  target folder
  -h, --help   this text
`;

/** `npm run runtime`. @returns {Promise<number>} exit code */
async function runtime() {
  const { to } = readOptions(help, { to: { type: 'string' } });
  if (!to) throw new UsageError('The target folder is missing: npm run runtime -- --to FOLDER');
  endOnStopSignal();
  const progress = createProgress();
  await ensureInstalled(progress);
  await ensureBuilt(progress);
  const { files, bytes } = await assembleRuntime(path.resolve(to));
  progress.line(`${files} files, ${(bytes / 1024 / 1024).toFixed(0)} MB, in ${path.resolve(to)}`);
  return 0;
}

await runCommand(runtime);
