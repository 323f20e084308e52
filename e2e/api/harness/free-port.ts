import { createServer, type Server } from 'node:net';

const ATTEMPTS = 50;
/** Below the ports that systems give to connections of their own: one of these could take the next port before a sandbox does. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;

/** A port of the loopback address that nothing listens on, nor on the next one, where a sandbox takes Solana's WebSockets. */
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
