import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { type Config, loadConfig } from '@/lib/server/config/load';
import { createGateway, type Gateway, type Substitutes } from '@/lib/server/create-gateway';
import type { Endpoint } from '@/lib/server/http/endpoint';
import { Router } from '@/lib/server/http/router';
import { createLog } from '@/lib/server/telemetry/log';
import { provideMigrated } from './migrated-folder';
import { tempFolder } from './temp-folder';

/** A whole gateway on a temporary folder, closed with the test; with these endpoints instead of its own, if given. */
export async function testGateway(
  env: Record<string, string> = {},
  endpoints?: readonly Endpoint[],
  substitutes: Substitutes = {},
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

/** A whole live gateway whose file has these settings, closed with the test. @param folder where its file and its data are */
export function gatewayOfFile(
  settings: Record<string, unknown>,
  {
    folder = tempFolder(),
    env = {},
    log = createLog('silent'),
    substitutes = {},
  }: { folder?: string; env?: Record<string, string>; log?: Logger; substitutes?: Substitutes } = {},
): Promise<Gateway> {
  writeFileSync(
    join(folder, 'turnpike.config.json'),
    JSON.stringify({ profile: 'live', dataDir: folder, ...settings }),
  );
  return opened(loadConfig({ TURNPIKE_SECRET: 's'.repeat(32), ...env }, folder), log, substitutes);
}

/** On a database that is migrated already, and without a thread for checkpoints: either takes longer than most tests. */
async function opened(config: Config, log: Logger, substitutes: Substitutes): Promise<Gateway> {
  if (config.databaseUrl === null) await provideMigrated(config.dataDir);
  const gateway = await createGateway(config, null, log, { checkpointThread: false, ...substitutes });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Notes what is to be done once something is over. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Serves on a free port of the loopback until the test is over, or whatever else `atEnd` waits for. @returns the port. */
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
