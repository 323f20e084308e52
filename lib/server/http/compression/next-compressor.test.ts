import { createRequire } from 'node:module';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { NodeNextRequest, NodeNextResponse } from 'next/dist/server/base-http/node';
import { sendResponse } from 'next/dist/server/send-response';
import { expect, it, onTestFinished } from 'vitest';
import { testGateway } from '@/test/test-gateway';
import { json } from '../call';
import type { Endpoint } from '../endpoint';
import { nextRoute } from '../next-adapter';
import { standBefore } from '../next-entry';
import { setServedApi } from '../served-api';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
/** Next ships this package without types. */
const compression = createRequire(import.meta.url)('next/dist/compiled/compression') as () => Middleware;

const TEXT = 'x'.repeat(100_000);
const endpoint: Endpoint = {
  path: '/api/v1/x',
  GET: (call) => json({ text: call.query.get('small') === null ? TEXT : '' }, 200, { vary: 'Host' }),
};

/** Starts a server that compresses and sends with Next's own code, as `next start` does, behind the gateway's entry. */
async function nextServer(): Promise<number> {
  setServedApi(await testGateway({}, [endpoint]));
  const handlers = nextRoute(endpoint.path);
  const compress = compression();
  const server = createServer((request, response) => {
    compress(request, response, () => undefined);
    const { method = 'GET' } = request;
    const asked = new Request(`http://a${request.url ?? ''}`, {
      method,
      headers: request.headers as Record<string, string>,
    });
    void handlers[method as 'GET'](asked).then((answer) =>
      sendResponse(new NodeNextRequest(request), new NodeNextResponse(response), answer),
    );
  });
  standBefore(server, false);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function ask(
  port: number,
  path: string,
  method: string,
  accept: string,
): Promise<{ headers: Record<string, string | undefined>; body: Buffer }> {
  const request = httpRequest({ port, host: '127.0.0.1', path, method, headers: { 'accept-encoding': accept } }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { headers: response.headers as Record<string, string | undefined>, body: Buffer.concat(chunks) };
}

it('what Next sends of ours is compressed once, by us, and says so', async () => {
  const port = await nextServer();
  const { headers, body } = await ask(port, '/api/v1/x', 'GET', 'gzip;q=0.5, br');
  expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Host, Accept-Encoding']);
  expect(JSON.parse(brotliDecompressSync(body).toString())).toEqual({ text: TEXT });
  expect((await ask(port, '/api/v1/x', 'HEAD', 'br')).headers['content-encoding']).toBe('br');
});

it('what is small, or wanted as it is, is compressed by nobody', async () => {
  const port = await nextServer();
  for (const [path, accept] of [
    ['/api/v1/x?small=1', 'gzip'],
    ['/api/v1/x', 'deflate'],
    ['/api/v1/x', 'gzip;q=0'],
  ] as const) {
    const { headers, body } = await ask(port, path, 'GET', accept);
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(body.toString())).toHaveProperty('text');
  }
});
