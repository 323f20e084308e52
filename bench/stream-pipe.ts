import { createServer } from 'node:http';
import { Pool } from 'undici';

/** Reference for relayed streams: node:http that pipes undici's stream into the response without parsing it. */
export function serveStreamPipe(upstreamUrl: string, onListening: (port: number) => void): void {
  const pool = new Pool(upstreamUrl, { connections: 1_024 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      pool
        .request({
          path: '/v1/chat/completions',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat(chunks),
        })
        .then(({ statusCode, headers, body }) => {
          response.writeHead(statusCode, { 'content-type': String(headers['content-type']) });
          body.pipe(response);
        })
        .catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}
