import { createServer } from 'node:http';

/** An upstream that costs as little as one can: it answers any call with one short result, under the id that came. */
export function serveStubUpstream(onListening: (port: number) => void): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = /"id":([^,}]+)/.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? 'null';
      const body = `{"jsonrpc":"2.0","id":${id},"result":"0x14d5c3f"}`;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}
