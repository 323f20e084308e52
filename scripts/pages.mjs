import './parts/node-version.mjs';
import { provideBrowser } from './parts/browser-provision.mjs';
import { UsageError, readOptions, runCommand } from './parts/command-line.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { endOnStopSignal, spawnGroup } from './parts/process-groups.mjs';
import { ensureBuilt } from './parts/production-build.mjs';
import { createProgress } from './parts/progress.mjs';
import { inRepository } from './parts/repository.mjs';
import { createTestEnvironment } from './parts/test-environment.mjs';
import { startTestGateway } from './parts/test-gateway.mjs';

const help = `
npm run pages -- [options]

Measures every page of the console in Chromium, against a sandbox that it starts:
the script that comes before anybody acts (KB over the wire), how far the layout
shifts (CLS: in a plain load, while every answer of the API takes 1.5 s longer, and
with a wallet connected before; the worse of a phone and a desk), how long the
slowest interaction takes to the next paint (INP, on a phone four times slower than
this machine), and which requests of a load fail. The bounds are in
e2e/figures/bounds.ts; what misses one is said below the table, with what moved.

  --page PATH  this page alone; may be given again
  --rounds N   rounds of interactions, the median of which counts (default 3)
  --json       print JSON
  -h, --help   this text

Ends with code 1 where a page misses a bound.
`;

/** `npm run pages`. @returns {Promise<number>} exit code */
async function pages() {
  const options = readOptions(help, {
    page: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    json: { type: 'boolean' },
  });
  endOnStopSignal();
  const progress = createProgress(process.stderr);
  await ensureInstalled(progress);
  await ensureBuilt(progress);
  const browser = await provideBrowser(() => {});
  if (!browser) throw new UsageError('There is no browser: install Chromium, or name one by CHROMIUM_PATH.');
  const environment = createTestEnvironment();
  const gateway = await startTestGateway(environment);
  try {
    return await measure(
      { ...environment.env, E2E_BASE_URL: gateway.ready.url, CHROMIUM_PATH: browser.path },
      argumentsOf(options),
    );
  } finally {
    await gateway.stop();
    environment.remove();
  }
}

/** @param {{page?: string[], rounds?: string, json?: boolean}} options */
function argumentsOf({ page = [], rounds, json }) {
  return [
    ...page.flatMap((path) => ['--page', path]),
    ...(rounds === undefined ? [] : ['--rounds', rounds]),
    ...(json ? ['--json'] : []),
  ];
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
function measure(env, args) {
  const child = spawnGroup(process.execPath, [inRepository('e2e/figures/main.ts'), ...args], {
    cwd: inRepository(),
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

await runCommand(pages);
