import { createServer } from 'node:http';
import { Pool } from 'undici';

/** Reference for comparison: node:http that passes bodies through undici without parsing them. */
export function serveBareProxy(upstreamUrl: string, onListening: (port: number) => void): void {
  const pool = new Pool(upstreamUrl, { connections: 128 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      pool
        .request({
          path: '/',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat(chunks),
        })
        .then(async ({ statusCode, body }) => {
          const answer = Buffer.from(await body.arrayBuffer());
          response
            .writeHead(statusCode, { 'content-type': 'application/json', 'content-length': answer.length })
            .end(answer);
        })
        .catch(() => response.writeHead(502).end());
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}
