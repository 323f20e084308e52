import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that nobody has a reason to ask: whoever does was led there. */
export interface Trap {
  url: string;
  requests(): number;
  close(): Promise<void>;
}

/** Enough to show that somebody follows. */
const REQUESTS_MAX = 200;

/** Opens a trap on the loopback address. */
export async function openTrap(): Promise<Trap> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    // Whoever follows again and again would end of it, and the attacks after this one tell nothing.
    if (requests > REQUESTS_MAX) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"0x"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
