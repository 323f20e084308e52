import { createServer, type AddressInfo, type Server } from 'node:net';

const ATTEMPTS = 50;

/** A port of the loopback address that nothing listens on, nor on the next one, where a sandbox takes Solana's WebSockets. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await listening(0);
    const { port } = server.address() as AddressInfo;
    const next = await listening(port + 1).catch(() => null);
    await Promise.all([server, next].map((each) => each && new Promise((resolve) => each.close(resolve))));
    if (next !== null) return port;
  }
  throw new Error(`No two free ports in a row were found in ${ATTEMPTS} attempts.`);
}

function listening(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
