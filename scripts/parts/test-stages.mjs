import path from 'node:path';

import { npmCommand } from './installation.mjs';
import { runToEnd } from './process-groups.mjs';
import { ensureBuilt } from './production-build.mjs';
import { inRepository, repositoryRoot } from './repository.mjs';
import { countAttacks, countPlaywright, countReport, countVitest, tally } from './tally.mjs';
import { readAudit } from './known-advisories.mjs';
import { startTestGateway, testOperatorKey } from './test-gateway.mjs';

/**
 * @typedef {object} Context
 * @property {{folder: string, env: Record<string, string | undefined>}} environment
 * @property {import('./browser-provision.mjs').Browser | undefined} browser
 * @property {(line: string) => void} onLine called with each line of output
 */

/** @typedef {{counts: import('./tally.mjs').Tally, output: string}} Outcome */

/**
 * @typedef {object} Stage
 * @property {string} name value of `--only` that selects the stage
 * @property {string} label
 * @property {boolean} [needsBuild]
 * @property {boolean} [needsBrowser]
 * @property {boolean} [usesPostgres] skips some tests without Postgres
 * @property {boolean} [needsPostgres]
 * @property {readonly string[]} [after] labels of stages that must end first, with any result
 * @property {(context: Context) => Promise<Outcome>} run
 */

/** Paths of the stages' programs in node_modules. */
export const bin = {
  next: 'node_modules/next/dist/bin/next',
  // TypeScript's native compiler. Only tests of packages' types use the slower compiler in JavaScript.
  tsc: 'node_modules/typescript-native/bin/tsc',
  knip: 'node_modules/knip/bin/knip.js',
  oxfmt: 'node_modules/oxfmt/bin/oxfmt',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
};

/** Type check with one checker. More checkers would repeat each other's work, on processors that the lint needs. */
export const typeCheck = [bin.tsc, '--noEmit', '--checkers', '1'];

/** Lints all files by default. */
export const lint = [bin.oxlint, '-c', 'oxlint.config.mjs'];

/** Finds files, exports and types that nothing uses. To fix them, `npx knip --fix` removes the keyword `export`. */
const unused = [bin.knip, '--no-progress', '--no-config-hints'];

/** Checks the format of all files by default. `npx oxfmt` formats. */
export const formatCheck = [bin.oxfmt, '--check'];

/**
 * Workers per project of vitest.config.ts. More workers than processors make sense, because unit tests spend a third of
 * their time waiting, contract tests nearly half, and payment tests wait for blocks and restarts. The numbers are not
 * in vitest.config.ts, because there they would override `--maxWorkers`.
 *
 * @type {Readonly<Record<string, number>>}
 */
const WORKERS = { unit: 4, contract: 3, payments: 2 };

/**
 * Makes compilers that are written in Go collect garbage less often. By default, they would do so about twenty times.
 */
const LAZY_COLLECTOR = { GOGC: '400' };

/**
 * Stages of `npm test`. A stage starts once the stages in its `after` have ended. Most stages keep a processor busy.
 * The others mostly wait, so they run in parallel with busy stages.
 *
 * @type {readonly Stage[]}
 */
export const stages = [
  {
    name: 'types',
    label: 'Type check',
    run: (context) =>
      // A new clone does not have the route types, which Next generates.
      check(context, [[bin.next, 'typegen'], [...typeCheck], [...typeCheck, '--project', 'scripts']]),
  },
  { name: 'lint', label: 'Lint', run: (context) => check(context, [formatCheck, lint, unused]) },
  { name: 'advisories', label: 'Known advisories', run: advisories },
  // The build must wait, because it rewrites the route types that the type check reads.
  { name: 'build', label: 'Production build', after: ['Type check'], run: build },
  { name: 'unit', label: 'Unit tests', after: ['Lint'], usesPostgres: true, run: (context) => vitest(context, 'unit') },
  // This stage mostly waits, so it runs in parallel with busy stages.
  { name: 'attack', label: 'Attacks, short form', after: ['Production build'], needsBuild: true, run: attack },
  {
    name: 'contract',
    label: 'Contract tests',
    after: ['Production build', 'Unit tests'],
    needsBuild: true,
    run: (context) => vitest(context, 'contract', { CONTRACT_ENTRY: 'fast' }),
  },
  {
    name: 'payments',
    label: 'Payments over x402',
    after: ['Unit tests', 'Attacks, short form'],
    run: (context) => vitest(context, 'payments'),
  },
  {
    name: 'contract',
    label: 'Contract tests that may differ on Postgres',
    after: ['Payments over x402'],
    needsBuild: true,
    needsPostgres: true,
    run: (context) => vitest(context, 'contract', { CONTRACT_ENTRY: 'fast', CONTRACT_STORE: 'postgres' }),
  },
  {
    name: 'contract',
    label: 'Contract tests that may differ through next start',
    after: ['Payments over x402'],
    needsBuild: true,
    run: (context) => vitest(context, 'contract', { CONTRACT_ENTRY: 'next' }),
  },
  // Runs after the contract tests. In parallel, ten workers would share two processors, and both stages would take
  // longer.
  {
    name: 'e2e',
    label: 'Browser tests',
    after: ['Contract tests', 'Contract tests that may differ on Postgres'],
    needsBuild: true,
    needsBrowser: true,
    run: playwright,
  },
];

/**
 * Returns the stages with these names, plus the build if one needs it. Without names, returns all stages.
 *
 * @param {readonly string[]} names
 */
export function stagesNamed(names) {
  if (names.length === 0) return [...stages];
  const named = stages.filter(({ name }) => names.includes(name));
  return stages.filter(
    (stage) => named.includes(stage) || (stage.name === 'build' && named.some(({ needsBuild }) => needsBuild)),
  );
}

/**
 * Runs each stage once the stages in its `after` have ended. A stage that needs the build also waits for the build.
 *
 * @template {Pick<Stage, 'name' | 'label' | 'after' | 'needsBuild'>} S
 * @template R
 * @param {readonly S[]} chosen
 * @param {(stage: S) => Promise<R>} run
 * @returns {Promise<R[]>} results in the order of the stages
 * @throws the error of `run`
 */
export function inTheirTurn(chosen, run) {
  /** @type {Map<string, Promise<R>>} */
  const ends = new Map();
  for (const stage of chosen) {
    const before = chosen.filter(
      ({ name, label }) => stage.after?.includes(label) || (stage.needsBuild && name === 'build'),
    );
    ends.set(
      stage.label,
      Promise.all(before.map(({ label }) => ends.get(label))).then(() => run(stage)),
    );
  }
  return Promise.all(ends.values());
}

/**
 * Runs programs one by one until one fails. Together they count as one test.
 *
 * @param {Context} context
 * @param {string[][]} programs each is a script with its arguments
 * @returns {Promise<Outcome>}
 */
export async function check({ environment, onLine }, programs) {
  for (const args of programs) {
    const { code, output, leftBehind } = await node(args, { ...LAZY_COLLECTOR, ...environment.env }, onLine);
    if (code !== 0 || leftBehind) return { counts: tally({ failed: 1 }), output: explain(output, leftBehind) };
  }
  return { counts: tally({ passed: 1 }), output: '' };
}

/**
 * @param {Context} context
 * @param {string} project of vitest.config.ts
 * @param {Record<string, string>} [settings]
 * @param {string[]} [options] of vitest
 * @returns {Promise<Outcome>}
 */
export async function vitest({ environment, onLine }, project, settings = {}, options = []) {
  const report = path.join(environment.folder, `${[project, ...Object.values(settings)].join('-')}.json`);
  const args = [
    bin.vitest,
    'run',
    '--project',
    project,
    `--maxWorkers=${WORKERS[project]}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...options,
  ];
  const { code, output, leftBehind } = await node(args, { ...environment.env, ...settings }, onLine);
  return outcome(countReport(report, countVitest, code), output, leftBehind);
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function playwright({ environment, browser, onLine }) {
  const report = path.join(environment.folder, 'e2e.json');
  const gateway = await startTestGateway(environment);
  try {
    const env = {
      ...environment.env,
      E2E_BASE_URL: gateway.ready.url,
      E2E_DEMO_KEY: gateway.ready.demoKey ?? '',
      E2E_SANDBOX_URL: gateway.ready.sandboxUrl ?? '',
      E2E_OPERATOR_KEY: testOperatorKey,
      ...(browser && { CHROMIUM_PATH: browser.path }),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    };
    const { code, output, leftBehind } = await node([bin.playwright, 'test', '--reporter=list,json'], env, onLine);
    const { counts, output: shown } = outcome(countReport(report, countPlaywright, code), output, leftBehind);
    return {
      counts,
      output: counts.failed > 0 ? `${shown}\n\nThe gateway printed at last:\n${lastLines(gateway.printed())}` : shown,
    };
  } finally {
    await gateway.stop();
  }
}

/**
 * Returns the end of a long text, and shortens its long lines.
 *
 * @param {string} text
 */
function lastLines(text) {
  return text
    .split('\n')
    .slice(-200)
    .map((line) => line.slice(0, 1_000))
    .join('\n');
}

/**
 * Asks the npm registry for advisories about shipped packages. Counts nothing if the registry is unreachable or has no
 * advisories service.
 *
 * @param {Context} context
 * @returns {Promise<Outcome>}
 */
async function advisories({ environment, onLine }) {
  const [program, ...before] = npmCommand();
  const { output } = await runToEnd(program, [...before, 'audit', '--json', '--omit=dev', '--loglevel=silent'], {
    cwd: repositoryRoot,
    env: environment.env,
    onLine,
  });
  const found = readAudit(output);
  if (found === null) return { counts: tally(), output: '' };
  return { counts: tally(found.length > 0 ? { failed: 1 } : { passed: 1 }), output: found.join('\n') };
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function build({ onLine }) {
  const step = { update: onLine, done() {}, failed() {} };
  await ensureBuilt({ step: () => step });
  return { counts: tally({ passed: 1 }), output: '' };
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function attack({ environment, onLine }) {
  const report = path.join(environment.folder, 'attack.json');
  const { code, output, leftBehind } = await node(
    ['dist/attack.mjs', '--quick', '--report', report],
    environment.env,
    onLine,
  );
  return outcome(countReport(report, countAttacks, code), output, leftBehind);
}

/** @param {string[]} args @param {Record<string, string | undefined>} env @param {(line: string) => void} onLine */
function node([script, ...args], env, onLine) {
  return runToEnd(process.execPath, [inRepository(String(script)), ...args], { cwd: repositoryRoot, env, onLine });
}

/** @param {import('./tally.mjs').Tally} counts @param {string} output @param {boolean} leftBehind @returns {Outcome} */
function outcome(counts, output, leftBehind) {
  const failed = counts.failed + (leftBehind ? 1 : 0);
  return { counts: { ...counts, failed }, output: explain(output, leftBehind) };
}

/** @param {string} output @param {boolean} leftBehind */
function explain(output, leftBehind) {
  return leftBehind ? `${output}\nProcesses were left running; they have been ended.\n` : output;
}
