import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { loadConfig } from '@/lib/server/config/load';
import { createGateway, type Gateway, type Substitutes } from '@/lib/server/create-gateway';
import type { Endpoint } from '@/lib/server/http/endpoint';
import { Router } from '@/lib/server/http/router';
import { createLog } from '@/lib/server/telemetry/log';
import { provideMigrated } from './migrated-folder';
import { tempFolder } from './temp-folder';

/** A whole gateway on a temporary folder, closed with the test; with these endpoints instead of its own, if given. */
export async function testGateway(env: Record<string, string> = {}, endpoints?: readonly Endpoint[], substitutes: Substitutes = {}): Promise<Gateway> {
  const folder = tempFolder();
  const defaults = { TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 's'.repeat(32), TURNPIKE_DATA_DIR: folder, LOG_LEVEL: 'silent' };
  const config = loadConfig({ ...defaults, ...env }, folder);
  if (config.databaseUrl === null) await provideMigrated(config.dataDir);
  const gateway = await createGateway(config, null, createLog('silent'), { checkpointThread: false, ...substitutes });
  onTestFinished(() => gateway.close());
  return endpoints ? { ...gateway, endpoints, router: new Router(endpoints) } : gateway;
}

/** Serves on a free port of the loopback until the test is over. @returns the port. */
export async function serve(listener: Parameters<typeof createServer>[1]): Promise<{ server: Server; port: number; origin: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, origin: `http://127.0.0.1:${port}` };
}
