import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Proxy between client and gateway that can change answers. */
export interface Meddler {
  url: string;
  /** Returns the changed text of an answer; null leaves all answers unchanged. */
  change: ((path: string, text: string) => string) | null;
  /** Requests, in order. */
  asked: { path: string; body: string }[];
  close(): Promise<void>;
}

/** Headers that are removed from changed answers. */
const OWN_HEADERS = ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'];

/** Starts the proxy for a gateway on a free loopback port. */
export async function startMeddler(gatewayUrl: string): Promise<Meddler> {
  const meddler: Meddler = { url: '', change: null, asked: [], close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    handOn(request, response, gatewayUrl, meddler).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  meddler.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  meddler.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return meddler;
}

async function handOn(
  request: IncomingMessage,
  response: ServerResponse,
  gatewayUrl: string,
  meddler: Meddler,
): Promise<void> {
  const path = request.url ?? '/';
  const { host: _host, connection: _connection, 'content-length': _length, ...passed } = request.headers;
  const body = await buffer(request);
  meddler.asked.push({ path, body: body.toString('utf8') });
  const answer = await fetch(gatewayUrl + path, {
    method: request.method ?? 'GET',
    headers: passed as Record<string, string>,
    body: body.length > 0 ? new Uint8Array(body) : null,
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (!OWN_HEADERS.includes(name)) response.setHeader(name, value);
  response.end(meddler.change?.(path, new TextDecoder().decode(bytes)) ?? bytes);
}
