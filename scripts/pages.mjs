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

Starts a sandbox and measures every page of the console in Chromium:
- the scripts that are loaded before any interaction (KB over the wire);
- the layout shift (CLS) in a plain load, in a load with API answers delayed by
  1.5 s, and in a load with a connected wallet, on a phone or a desktop,
  whichever is worse;
- the slowest interaction (INP), on a phone four times slower than this machine;
- the requests that fail.
The limits are in e2e/figures/bounds.ts. Values over a limit are listed below the
table, with the elements that moved.

  --page PATH  only this page; may be repeated
  --rounds N   rounds of interactions; their median counts (default 3)
  --json       print JSON
  -h, --help   this text

The exit code is 1 if a page exceeds a limit.
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
  if (!browser) throw new UsageError('No browser was found. Install Chromium, or set CHROMIUM_PATH.');
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
