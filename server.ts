import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { startFailureExitCode } from './lib/server/config/faults';
import { loadConfig } from '@/lib/server/config/load';
import type { Gateway } from '@/lib/server/create-gateway';
import { boundRequests, CLIENT_PATIENCE } from '@/lib/server/http/answer-bounds';
import { FastPath } from '@/lib/server/http/fast-path/fast-path';
import { admit } from '@/lib/server/http/destination';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { createPageFiles } from '@/lib/server/http/page-files';
import { stopOnSignals } from '@/lib/server/http/stop-signals';
import { passWebSockets } from '@/lib/server/http/upgrades';
import { answerWhileStarting } from './lib/server/api/probes';
import { boot } from './boot';
import { stopServing, stopWithinMs } from './stopping';

type Listener = ReturnType<typeof nodeListener>;

/** Interval at which node:http checks for requests that arrive too slowly. */
const OVERDUE_CHECK_MS = 5_000;

/** Preferred networks for the example of a first call. */
const EXAMPLE_NETWORKS = ['ethereum-mainnet'];

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Production entry: serves API calls and page files itself, and passes everything else to Next. */
async function main(): Promise<void> {
  const config = loadConfig();
  let ready: (listener: Listener) => void = () => undefined;
  const listener = new Promise<Listener>((resolve) => (ready = resolve));
  let current: Listener = (request, response) => {
    if (!answerWhileStarting(request, response)) void listener.then((serve) => serve(request, response));
  };
  const serve: Listener = (request, response) => current(request, response);
  const server = createServer({ connectionsCheckingInterval: OVERDUE_CHECK_MS }, serve);
  boundRequests(server);
  const port = await listen(server, config.port, config.host);
  process.env.PORT = String(port);
  const starting = boot(port);
  let fastPath: FastPath | null = null;
  stopWith(server, starting, () => fastPath);
  const gateway = await starting;
  current = await serveBoth(gateway);
  fastPath = new FastPath(server, gateway, {
    keepAliveMs: CLIENT_PATIENCE.keepAliveMs,
    firstRequestMs: CLIENT_PATIENCE.headMs,
  });
  passWebSockets(server, (slug) => solanaStandIn(slug, gateway));
  if (gateway.sandbox) gateway.sandbox.takesWebSockets = true;
  ready(current);
  announce(gateway);
}

async function serveBoth(gateway: Gateway): Promise<Listener> {
  // Gives Next its own server, because Next would close WebSocket upgrades that it does not handle.
  const httpServer = createServer();
  const app = next({ dev: false, dir: ROOT, hostname: gateway.config.host, port: gateway.config.port, httpServer });
  await app.prepare();
  const pages = app.getRequestHandler();
  const pageFiles = createPageFiles(join(ROOT, '.next'));
  const api = nodeListener(gateway);
  const entry = {
    profileHeader: gateway.profileHeader,
    drain: gateway.drain,
    isDevelopment: false,
    slowReaderMs: gateway.memory.limits.slowReaderMs,
  };
  return (request, response) => {
    const destination = admit(request, response, entry);
    if (destination === 'api') api(request, response);
    else if (destination === 'page' && !pageFiles(request, response))
      pages(request, response).catch((error: unknown) => failPage(error, response, gateway));
  };
}

function failPage(error: unknown, response: ServerResponse, gateway: Gateway): void {
  gateway.log.error({ err: error }, 'serving a page failed');
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'text/plain' }).end('The page could not be served.');
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} on ${host} is in use. Stop the program that uses it, or set PORT to another port.`)
          : error,
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Stops on the usual signals, and when the parent process ends. */
function stopWith(server: Server, starting: Promise<Gateway>, early: () => FastPath | null): void {
  const stop = stopOnSignals(async () => stopServing(await starting, [server], early));
  if (!process.send) return;
  process.on('disconnect', stop);
  if (!process.connected) stop();
}

/** Returns the subscription URL of a simulated Solana network; null for other networks. */
function solanaStandIn(slug: string, { sandbox, networks }: Gateway): string | null {
  const target = networks.find(slug);
  return sandbox && target?.standIn && target.network.kind === 'solana' ? `${sandbox.url}/solana/${slug}` : null;
}

function announce({ config, origin, sandbox, networks }: Gateway): void {
  const message = {
    type: 'ready',
    url: origin,
    profile: config.profile,
    demoKey: sandbox?.demoKey ?? null,
    sandboxUrl: sandbox?.url ?? null,
    exampleNetwork: EXAMPLE_NETWORKS.concat(networks.slugs).find((slug) => networks.find(slug)?.backend) ?? null,
    standIns: networks.slugs.filter((slug) => networks.find(slug)?.standIn),
    stopWithinMs: stopWithinMs(config),
  };
  if (process.send) process.send(message);
  else process.stdout.write(`Turnpike is ready at ${message.url}\n`);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (process.send) process.send({ type: 'failed', message });
  process.stderr.write(`${message}\n`);
  process.exit(startFailureExitCode(error));
});
