import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { type Config, loadConfig } from '@/lib/server/config/load';
import { createGateway, type Gateway, type GatewayOptions } from '@/lib/server/create-gateway';
import type { Endpoint } from '@/lib/server/http/endpoint';
import { Router } from '@/lib/server/http/router';
import { createLog } from '@/lib/server/telemetry/log';
import { provideMigrated } from './migrated-folder';
import { tempFolder } from './temp-folder';

/**
 * Creates a whole gateway in a temporary folder and closes it at the end of the test.
 *
 * @param endpoints endpoints that replace those of the gateway
 */
export async function testGateway(
  env: Record<string, string> = {},
  endpoints?: readonly Endpoint[],
  substitutes: GatewayOptions = {},
): Promise<Gateway> {
  const folder = tempFolder();
  const defaults = {
    TURNPIKE_PROFILE: 'live',
    TURNPIKE_SECRET: 's'.repeat(32),
    TURNPIKE_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
  };
  const gateway = await opened(loadConfig({ ...defaults, ...env }, folder), createLog('silent'), substitutes);
  return endpoints ? { ...gateway, endpoints, router: new Router(endpoints) } : gateway;
}

/**
 * Creates a live gateway whose configuration file has these settings, and closes it at the end of the test.
 * @param folder folder of the configuration file and the data
 */
export function gatewayOfFile(
  settings: Record<string, unknown>,
  {
    folder = tempFolder(),
    env = {},
    log = createLog('silent'),
    substitutes = {},
  }: { folder?: string; env?: Record<string, string>; log?: Logger; substitutes?: GatewayOptions } = {},
): Promise<Gateway> {
  writeFileSync(
    join(folder, 'turnpike.config.json'),
    JSON.stringify({ profile: 'live', dataDir: folder, ...settings }),
  );
  return opened(loadConfig({ TURNPIKE_SECRET: 's'.repeat(32), ...env }, folder), log, substitutes);
}

/**
 * Opens a gateway on a migrated database and without a checkpoint thread. A migration or a thread would take longer
 * than most tests.
 */
async function opened(config: Config, log: Logger, substitutes: GatewayOptions): Promise<Gateway> {
  if (config.databaseUrl === null) await provideMigrated(config.dataDir);
  const gateway = await createGateway(config, null, log, { checkpointThread: false, ...substitutes });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Registers a function to call at the end, such as the end of a test. */
export type AtEnd = (end: () => Promise<void>) => void;

/**
 * Serves on a free loopback port until the end of the test, or until `atEnd` stops it.
 *
 * @returns server, port and origin
 */
export async function serve(
  listener: Parameters<typeof createServer>[1],
  atEnd: AtEnd = onTestFinished,
): Promise<{ server: Server; port: number; origin: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, origin: `http://127.0.0.1:${port}` };
}
