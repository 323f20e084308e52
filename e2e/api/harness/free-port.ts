import { createServer, type Server } from 'node:net';

const ATTEMPTS = 50;
/** Below the range of ephemeral ports. Otherwise a connection could take the next port before the sandbox does. */
const PORT_MIN = 20_000;
/** Each test process has its own ports, so that none takes the port of another's gateway during a restart. */
const PROCESSES_MAX = 60;
const PORTS_OF_A_PROCESS = 200;
const PORT_OF_THIS_PROCESS_MIN = PORT_MIN + (process.pid % PROCESSES_MAX) * PORTS_OF_A_PROCESS;
const given = new Set<number>();

/**
 * Returns a loopback port that is free and whose next port is also free. The sandbox uses the next one for Solana's
 * WebSockets. Returns each port only once.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = PORT_OF_THIS_PROCESS_MIN + 2 * Math.floor((Math.random() * PORTS_OF_A_PROCESS) / 2);
    if (given.has(port)) continue;
    const servers = await Promise.all([port, port + 1].map((each) => listening(each).catch(() => null)));
    await Promise.all(servers.map((server) => server && new Promise((resolve) => server.close(resolve))));
    if (servers.includes(null)) continue;
    given.add(port);
    return port;
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
