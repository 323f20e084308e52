import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { createStageGateway, type StageSettings } from './stage-gateway';

/**
 * Runs a stage's gateway as a process that tests can kill. Reads its settings as JSON from STAGE, and prints its
 * origin.
 */
async function main(): Promise<void> {
  const gateway = await createStageGateway(JSON.parse(process.env.STAGE ?? '') as StageSettings);
  const server = createServer(nodeListener(gateway));
  server.listen(0, '127.0.0.1', () =>
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  );
}

process.on('disconnect', () => process.exit(0));
main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
