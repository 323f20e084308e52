import './parts/node-version.mjs';
import { readOptions, runCommand } from './parts/command-line.mjs';
import { configuredNetworks } from './parts/configured-networks.mjs';
import { adminOptionsFor, gatewayEnvironment, gatewayOptions, gatewayOptionsHelp } from './parts/gateway-options.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { requireFreeAddress } from './parts/listen-address.mjs';
import { isStopping, onStopSignal, spawnGroup, stopAllGroups } from './parts/process-groups.mjs';
import { createProgress } from './parts/progress.mjs';
import { inRepository } from './parts/repository.mjs';
import { readyMessage, waitForService } from './parts/running-service.mjs';
import { welcome } from './parts/welcome.mjs';

const help = `
npm run dev -- [options]

Starts the gateway from its sources and reloads pages and endpoints when they
change. The stand-ins are bundled at the start, so after a change in their
sources the command must be restarted.
${gatewayOptionsHelp}
`;

/** `npm run dev`. @returns {Promise<number>} exit code */
async function dev() {
  const { address, env } = gatewayEnvironment(readOptions(help, gatewayOptions));
  onStopSignal(async () => {
    await stopAllGroups();
    process.exit(0);
  });
  await requireFreeAddress(address);
  const progress = createProgress();
  await ensureInstalled(progress);

  const next = inRepository('node_modules/next/dist/bin/next');
  const args = [next, 'dev', '--hostname', address.host, '--port', String(address.port)];
  const child = spawnGroup(process.execPath, args, {
    cwd: inRepository(),
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  const service = await Promise.race([waitForService(address), ended]);
  if (typeof service !== 'number') {
    // Next's start has bundled the command line that `configuredNetworks` runs.
    const networks = await configuredNetworks(env);
    const facts = { networks, adminOptions: adminOptionsFor({ ...process.env, ...env }) };
    progress.line(welcome(readyMessage(service, networks?.given ?? []), progress.paint, facts));
  }
  const code = await ended;
  return isStopping() ? 0 : code || 1;
}

await runCommand(dev);
