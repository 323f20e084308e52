import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** HTTP proxy that refuses everything. Programs use it for all hosts outside loopback. */
export interface Outside {
  /** Environment variables with the proxy's address. */
  env: Readonly<Record<string, string>>;
  /** Hosts that programs requested. */
  hosts: Set<string>;
  close(): void;
}

export async function refuseOutside(): Promise<Outside> {
  const hosts = new Set<string>();
  const server = createServer((request, response) => {
    hosts.add(new URL(request.url ?? '/', 'http://unknown').host);
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    hosts.add(request.url ?? '');
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loopback = '127.0.0.1,localhost,::1';
  return {
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      ALL_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      all_proxy: url,
      NO_PROXY: loopback,
      no_proxy: loopback,
      NODE_USE_ENV_PROXY: '1',
    },
    hosts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
