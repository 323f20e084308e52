import { createServer, type Server } from 'node:net';

const ATTEMPTS = 50;
/** Below the range of ephemeral ports. Otherwise a connection could take the next port before the sandbox does. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;

/**
 * Returns a loopback port that is free and whose next port is also free. The sandbox uses the next one for Solana's
 * WebSockets.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    const servers = await Promise.all([port, port + 1].map((each) => listening(each).catch(() => null)));
    await Promise.all(servers.map((server) => server && new Promise((resolve) => server.close(resolve))));
    if (!servers.includes(null)) return port;
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
