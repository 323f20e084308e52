import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Server that no program has a reason to call. Each request proves that an attack redirected its sender. */
export interface Trap {
  url: string;
  requests(): number;
  close(): Promise<void>;
}

/** Maximum requests to answer, enough to prove that a program follows a lookup repeatedly. */
const REQUESTS_MAX = 200;

export async function openTrap(): Promise<Trap> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    // Stops a program that follows forever, because it would disturb the attacks after this one.
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
