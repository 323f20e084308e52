import { connect, type Socket } from 'node:net';

/** Result of a closed-loop load: each connection sends its next request when the last one is answered. */
export interface LoadResult {
  requests: number;
  /** Answers with a status other than 200. */
  refused: number;
  seconds: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
}

interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Complete HTTP/1.1 requests, sent in rotation over all connections. */
  requests: readonly Buffer[];
  /** Ends the load after this many requests. */
  requestsMax?: number;
  /** Returns true to end the load early. */
  isOver?: () => boolean;
}

export interface LoadSamples {
  /** Latency of every answer in milliseconds, in order of arrival. */
  latenciesMs: number[];
  /** Answers with a status other than 200. */
  refused: number;
  seconds: number;
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const { latenciesMs, refused, seconds } = await sampleLoad(load);
  const sorted = latenciesMs.sort((a, b) => a - b);
  return {
    requests: sorted.length,
    refused,
    seconds,
    requestsPerSecond: sorted.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    p999Ms: quantile(sorted, 0.999),
  };
}

/**
 * Runs a load over raw sockets. The generator shares the machine with the measured program, so it does little work per
 * request.
 */
export async function sampleLoad({
  port,
  connections,
  seconds,
  requests,
  requestsMax = Infinity,
  isOver,
}: Load): Promise<LoadSamples> {
  const latenciesMs: number[] = [];
  let next = 0;
  let refused = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const worker = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      const send = (): void => {
        sentAt = performance.now();
        socket.write(requests[next++ % requests.length] as Buffer);
      };
      socket.once('connect', send).once('error', reject);
      socket.once('close', () => reject(new Error(`Port ${port} closed a connection without an answer.`)));
      readAnswers(socket, (status) => {
        const now = performance.now();
        latenciesMs.push(now - sentAt);
        if (status !== 200) refused++;
        if (now < endsAt && next < requestsMax && !isOver?.()) send();
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, worker));
  return { latenciesMs, refused, seconds: (performance.now() - startedAt) / 1000 };
}

/** Reads answers with a Content-Length, and chunked answers, which end with an empty chunk. */
export function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let missing = 0;
  let chunked = false;
  let status = 0;
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      status = Number(text.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1];
      chunked = length === undefined;
      if (chunked && !text.endsWith('\r\n0\r\n\r\n')) return;
      missing = chunked ? 0 : Number(length) - (text.length - end - 4);
      text = '';
    }
    if (missing <= 0) onAnswer(status);
  });
}

/** Returns the q-quantile of an ascending list; 0 if the list is empty. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

/** Returns a JSON-RPC request as bytes. @param credential complete header line, without a line break */
export function rpcRequest({ path, body, credential }: { path: string; body: string; credential: string }): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${credential}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
