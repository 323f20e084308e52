import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AtEnd } from './test-gateway';

/** Head of a chunked answer. */
export const CHUNKED_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Starts a server that answers each request with a test's bytes, even if they violate HTTP. @returns its origin */
export async function rawServer(
  answer: (socket: Socket, request: string) => void,
  atEnd: AtEnd = onTestFinished,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (request: Buffer) => answer(socket, request.toString('latin1')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a chunked body with this many bytes, one byte per chunk. */
export async function sendInSingleBytes(
  socket: Socket,
  bytes: number,
  { before = '', after = '' } = {},
): Promise<void> {
  const chunksOf = (text: string): string => [...text].map((character) => `1\r\n${character}\r\n`).join('');
  const block = chunksOf('x'.repeat(BLOCK));
  socket.write(chunksOf(before));
  for (let left = bytes; left > 0 && !socket.destroyed; left -= BLOCK) {
    if (!socket.write(left >= BLOCK ? block : chunksOf('x'.repeat(left))))
      await once(socket, 'drain').catch(() => undefined);
  }
  socket.write(`${chunksOf(after)}0\r\n\r\n`);
}

const BLOCK = 10_000;

/** Returns this process's peak memory growth until `work` ends, in megabytes. */
export async function peakMegabytes(work: Promise<unknown>): Promise<number> {
  const taken = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  };
  const before = taken();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, taken() - before)), 5);
  await work.finally(() => clearInterval(timer));
  return Math.max(peak, taken() - before);
}
