import './parts/node-version.mjs';
import { provideBrowser } from './parts/browser-provision.mjs';
import { UsageError, readOptions, runCommand } from './parts/command-line.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { endMarked } from './parts/process-census.mjs';
import { isStopping, onStopSignal, stopAllGroups } from './parts/process-groups.mjs';
import { providePostgres } from './parts/postgres-provision.mjs';
import { createProgress } from './parts/progress.mjs';
import { sum, tally, verdict } from './parts/tally.mjs';
import { createTestEnvironment, runMark } from './parts/test-environment.mjs';
import { inTheirTurn, stages, stagesNamed } from './parts/test-stages.mjs';

const help = `
npm test -- [options]

Installs what is missing, provides a browser and a Postgres, then runs the type
check, the lint, a look for known advisories, the production build, the unit tests,
the attacks in their short form, the contract tests, the payments and the browser
tests, several of them at once.
All contract tests run against server.ts on SQLite. Tests that can differ, as each
file says at its top, also run against next start and on Postgres. The last line
counts the tests. In CI (CI=true), a skipped test counts as failed. A failed test
gets a second attempt, except payments and attacks; the output names it.

  --only STAGE   types, lint, advisories, build, unit, contract, payments, attack or e2e; may be given several times
  --full         all of the contract at every entry
  -h, --help     this text

  CHROMIUM_PATH         a browser to test with
  ATTESTATION_SAMPLES   folder of recorded attestations to test with
`;

const leftoverPatienceMs = 10_000;

/** @typedef {import('./parts/test-stages.mjs').Stage} Stage */

/**
 * @typedef {object} Provided
 * @property {ReturnType<typeof createTestEnvironment>} environment
 * @property {import('./parts/progress.mjs').Progress} progress
 * @property {import('./parts/browser-provision.mjs').Browser | undefined} browser
 * @property {import('./parts/postgres-provision.mjs').Postgres | undefined} postgres
 */

/** `npm test`. @returns {Promise<number>} exit code */
async function test() {
  const { only = [], full = false } = readOptions(help, {
    only: { type: 'string', multiple: true },
    full: { type: 'boolean' },
  });
  const chosen = chooseStages(/** @type {string[]} */ (only));
  const progress = createProgress();
  const environment = createTestEnvironment();
  if (full) environment.env.CONTRACT_FULL = '1';
  onStopSignal(async () => {
    await stopAllGroups();
    await endMarked(runMark, environment.mark, 0);
    environment.remove();
    process.exit(130);
  });
  try {
    await ensureInstalled(progress);
    const browser = chosen.some(({ needsBrowser }) => needsBrowser) ? await findBrowser(progress) : undefined;
    const postgres = chosen.some(({ usesPostgres, needsPostgres }) => usesPostgres || needsPostgres)
      ? await findPostgres(progress)
      : undefined;
    const counts = await runStages(chosen, { environment, browser, postgres, progress });
    counts.push(await countLeftovers(progress, environment.mark));
    return report(progress, sum(counts));
  } finally {
    environment.remove();
  }
}

/** @param {string[]} names @throws {UsageError} for an unknown stage */
function chooseStages(names) {
  const known = [...new Set(stages.map(({ name }) => name))];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is no stage: there are ${known.join(', ')}.`);
  return stagesNamed(names);
}

/** @param {import('./parts/progress.mjs').Progress} progress */
async function findBrowser(progress) {
  const step = progress.step('Browser');
  const browser = await provideBrowser(step.update);
  if (browser) step.done(browser.origin);
  else step.failed('none could be found, installed or downloaded');
  return browser;
}

/** Reports the Postgres that the tests will find. @param {import('./parts/progress.mjs').Progress} progress */
async function findPostgres(progress) {
  const step = progress.step('Postgres');
  const postgres = await providePostgres(step.update);
  if (postgres) step.done(postgres.origin);
  else step.failed('none is installed; as root on Debian this would install it');
  return postgres;
}

/**
 * Runs the stages and prints the whole output of each failed stage.
 *
 * @param {readonly Stage[]} chosen
 * @param {Provided} provided
 * @returns {Promise<import('./parts/tally.mjs').Tally[]>}
 */
async function runStages(chosen, provided) {
  let isBuilt = false;
  return inTheirTurn(chosen, async (stage) => {
    if (stage.needsBuild && !isBuilt) {
      provided.progress.line(`${stage.label}: not run, because the build failed`);
      return tally({ failed: 1, failedNames: [`${stage.label}: not run`] });
    }
    if (stage.needsBrowser && !provided.browser)
      return tally({ skipped: 1, skippedNames: [`${stage.label}: no browser`] });
    if (stage.needsPostgres && !provided.postgres)
      return tally({ skipped: 1, skippedNames: [`${stage.label}: no Postgres`] });
    const counts = await runStage(stage, provided);
    if (stage.name === 'build') isBuilt = counts.failed === 0;
    return counts;
  });
}

/** @param {Stage} stage @param {Provided} provided @throws {UsageError} if the run is being stopped */
async function runStage(stage, { environment, browser, progress }) {
  const step = progress.step(stage.label);
  const outcome = await stage.run({ environment, browser, onLine: step.update }).catch((error) => ({
    counts: tally({ failed: 1 }),
    output: error instanceof UsageError ? error.message : String(error?.stack ?? error),
  }));
  if (isStopping()) throw new UsageError('Interrupted.');
  const counts = withStageNamed(outcome.counts, stage.label);
  const { line } = verdict(counts, { ci: false });
  if (counts.failed > 0) {
    step.failed(line);
    progress.line(outcome.output);
  } else {
    step.done(line);
  }
  for (const name of counts.flakyNames) progress.line(`Passed only at the second attempt: ${name}`);
  return counts;
}

/**
 * Lists failures that have no name under the stage's label.
 *
 * @param {import('./parts/tally.mjs').Tally} counts
 * @param {string} label
 */
function withStageNamed(counts, label) {
  const nameless = counts.failed - counts.failedNames.length;
  return nameless > 0 ? { ...counts, failedNames: [...counts.failedNames, label] } : counts;
}

/** @param {import('./parts/progress.mjs').Progress} progress @param {string} mark */
async function countLeftovers(progress, mark) {
  const left = await endMarked(runMark, mark, leftoverPatienceMs);
  if (left.length === 0) return tally();
  progress.line(`Processes outlived the tests and have been ended:\n${left.join('\n')}`);
  return tally({ failed: 1, failedNames: ['Processes outlived the tests'] });
}

/**
 * Repeats the failures at the end, because the output above may be long or cut off.
 *
 * @param {import('./parts/progress.mjs').Progress} progress
 * @param {import('./parts/tally.mjs').Tally} total
 */
function report(progress, total) {
  for (const name of total.failedNames) progress.line(`Failed: ${name}`);
  for (const name of total.skippedNames) progress.line(`Skipped: ${name}`);
  const ci = /^(1|true)$/i.test(process.env.CI ?? '');
  const { line, ok } = verdict(total, { ci });
  progress.line();
  progress.line(line);
  return ok ? 0 : 1;
}

await runCommand(test);
