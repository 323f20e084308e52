import './parts/node-version.mjs';
import { changedFiles } from './parts/changed-files.mjs';
import { readOptions, runCommand } from './parts/command-line.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { endOnStopSignal } from './parts/process-groups.mjs';
import { createProgress } from './parts/progress.mjs';
import { quickStages } from './parts/quick-stages.mjs';
import { sum, verdict } from './parts/tally.mjs';
import { createTestEnvironment } from './parts/test-environment.mjs';

const help = `
npm run test:quick -- [options]

Runs the type check, the lint of changed files, and the unit tests that changed
files can affect. Starts no browser and builds nothing; npm test runs everything.

  --since REF  compare with this commit; by default uncommitted work, or the last
               commit if there is none
  -h, --help   this text
`;

await runCommand(async () => {
  const { since } = readOptions(help, { since: { type: 'string' } });
  endOnStopSignal();
  const progress = createProgress();
  const environment = createTestEnvironment();
  try {
    await ensureInstalled(progress);
    const changed = changedFiles(/** @type {string | undefined} */ (since));
    progress.line(`${changed.files.length} files changed since ${changed.since}.`);
    const counts = [];
    for (const stage of quickStages(changed)) {
      const step = progress.step(stage.label);
      const { counts: stageCounts, output } = await stage.run({ environment, browser: undefined, onLine: step.update });
      counts.push(stageCounts);
      const { line } = verdict(stageCounts, { ci: false });
      if (stageCounts.failed === 0) step.done(line);
      else {
        step.failed(line);
        progress.line(output);
      }
    }
    const { line, ok } = verdict(sum(counts), { ci: false });
    progress.line();
    progress.line(line);
    return ok ? 0 : 1;
  } finally {
    environment.remove();
  }
});
