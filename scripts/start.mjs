import './parts/node-version.mjs';
import { readOptions, runCommand } from './parts/command-line.mjs';
import { configuredNetworks } from './parts/configured-networks.mjs';
import { adminOptionsFor, gatewayEnvironment, gatewayOptions, gatewayOptionsHelp } from './parts/gateway-options.mjs';
import { showOutput, startGateway } from './parts/gateway-process.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { keepRunning } from './parts/kept-running.mjs';
import { requireFreeAddress } from './parts/listen-address.mjs';
import { isStopping, onStopSignal, stopAllGroups } from './parts/process-groups.mjs';
import { ensureBuilt, isBuilt } from './parts/production-build.mjs';
import { createProgress } from './parts/progress.mjs';
import { welcome } from './parts/welcome.mjs';

const help = `
npm start -- [options]

Starts the gateway: installs what is missing, builds what changed, then serves
the API and the console until Ctrl-C. If the gateway's process dies, starts it
again.
${gatewayOptionsHelp}
`;

/** `npm start`. @returns {Promise<number>} exit code */
async function start() {
  const { address, env } = gatewayEnvironment(readOptions(help, gatewayOptions));
  onStopSignal(async () => {
    await stopAllGroups();
    process.exit(0);
  });
  await requireFreeAddress(address);

  const progress = createProgress();
  await ensureInstalled(progress, { isBuilt: isBuilt() });
  await ensureBuilt(progress);

  const step = progress.step('Starting');
  const gateway = await startGateway(env).catch((error) => {
    step.failed();
    throw error;
  });
  step.done();
  showOutput(gateway);
  const networks = gateway.ready.profile === 'live' ? await configuredNetworks(env) : undefined;
  progress.line(
    welcome(gateway.ready, progress.paint, { networks, adminOptions: adminOptionsFor({ ...process.env, ...env }) }),
  );
  const startAgain = async () => {
    const again = await startGateway(env);
    showOutput(again);
    return again;
  };
  return keepRunning(gateway, { start: startAgain, say: progress.line, isStopping });
}

await runCommand(start);
