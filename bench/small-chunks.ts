import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '@/attack/wire/burst';
import { HOGGED } from './hostile-requests';
import { ELSEWHERE_PRIORITY } from './hostile-sender';
import { quantile, rpcRequest, sampleLoad } from './load';
import { type Program, startGateway, startRole, UNLIMITED } from './programs';
import { READS } from './workloads';

export const SMALL_CHUNKS = 'chunks';

const ANSWERS = 64;
const ANSWER_BYTES = 8_000_000;
const HEAP_MIB = 1_024;
const READ_PATH = '/api/v1/crypto/rpc/ethereum-mainnet';
const LARGE_PATH = `/api/v1/crypto/rpc/${HOGGED.network}`;
/** Number of other callers. Each sends its next read when the last one is answered. */
const OTHERS = 4;
const WARM_UP_SECONDS = 3;
const IDLE_SECONDS = 10;
const ANSWERED_WITHIN_MS = 300_000;
/** Limits for memory growth in MiB, and for the other callers' p99 during the answers divided by their idle p99. */
const GROWTH_MIB_MAX = 400;
const RATIO_MAX = 3;

/** Effect of answers in one-byte chunks on a gateway and its other callers. */
export interface ChunksRow {
  /** Resident memory of the gateway's process, in MiB. */
  idleMiB: number;
  peakMiB: number;
  idleP99Ms: number;
  firedP99Ms: number;
  /** Medians of the samples from which the p99 comes. */
  idleP50Ms: number;
  firedP50Ms: number;
  seconds: number;
  /** Statuses of the large answers. */
  statuses: string;
  /** Number of reads by the other callers, and how many of them were refused. */
  reads: number;
  refused: number;
  isAlive: boolean;
}

/** Serves as a node that sends logs in one-byte chunks. */
export function serveSmallChunks(onListening: (port: number) => void): void {
  const block = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  const chunked = (text: string): string => [...text].map((character) => `1\r\n${character}\r\n`).join('');
  const sendLogs = (socket: Socket, id: string): void => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(`{"jsonrpc":"2.0","id":${id},"result":"`)}`,
    );
    let left = ANSWER_BYTES / 10_000;
    const send = (): void => {
      while (left-- > 0) if (!socket.write(block)) return void socket.once('drain', send);
      socket.write(`${chunked('"}')}0\r\n\r\n`);
    };
    send();
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (request: Buffer) => {
      const text = request.toString('latin1');
      const id = /"id":([^,}]+)/.exec(text)?.[1] ?? 'null';
      if (text.includes('eth_getLogs')) return sendLogs(socket, id);
      const body = `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`;
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}

/**
 * Measures the memory of a gateway with a 1 GB heap while 64 answers of 8 MB arrive in one-byte chunks. Also measures
 * the latency of other callers.
 */
export async function measureChunks(
  track: <T extends Pick<Program, 'stop'>>(program: T) => T,
  progress: (text: string) => void,
  checkout?: string,
): Promise<ChunksRow> {
  progress(`${SMALL_CHUNKS}: ${ANSWERS} answers of ${ANSWER_BYTES / 1e6} MB`);
  const stub = track(await startRole('stub'));
  const small = track(await startRole(SMALL_CHUNKS));
  // Lowers the priority, because a remote node would not use the gateway's processor.
  setPriority(small.pid, ELSEWHERE_PRIORITY);
  const networks = { [HOGGED.network]: { upstreams: [`http://127.0.0.1:${small.port}`], chainIdentity: false } };
  const gateway = track(
    await startGateway({
      upstreamUrl: `http://127.0.0.1:${stub.port}`,
      entry: 'fast',
      callers: ANSWERS + OTHERS,
      wallets: 0,
      config: { limits: UNLIMITED, networks },
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
      ...(checkout && { checkout }),
    }),
  );
  const { pid, port, keys } = gateway;
  const requests = keys
    .slice(ANSWERS)
    .map((key, index) =>
      rpcRequest({ path: READ_PATH, body: READS.body(index), credential: `Authorization: Bearer ${key}` }),
    );
  const load = (seconds: number, isOver: () => boolean) =>
    sampleLoad({ port, connections: OTHERS, seconds, requests, isOver });
  await load(WARM_UP_SECONDS, () => false);
  const idle = await load(IDLE_SECONDS, () => false);
  const idleMiB = residentMiB(pid) ?? 0;
  let peakMiB = idleMiB;
  let isOver = false;
  const watching = setInterval(() => (peakMiB = Math.max(peakMiB, residentMiB(pid) ?? 0)), 100);
  const startedMs = performance.now();
  const answers = Promise.all(keys.slice(0, ANSWERS).map((key, index) => statusOf(port, key, index))).finally(
    () => (isOver = true),
  );
  const fired = await load(ANSWERED_WITHIN_MS / 1_000, () => isOver).catch(() => ({
    latenciesMs: [] as number[],
    refused: 0,
  }));
  const statuses = await answers;
  clearInterval(watching);
  const [sortedIdle, sortedFired] = [idle.latenciesMs, fired.latenciesMs].map((samples) =>
    samples.sort((a, b) => a - b),
  ) as [number[], number[]];
  return {
    idleMiB,
    peakMiB,
    idleP99Ms: quantile(sortedIdle, 0.99),
    firedP99Ms: quantile(sortedFired, 0.99),
    idleP50Ms: quantile(sortedIdle, 0.5),
    firedP50Ms: quantile(sortedFired, 0.5),
    seconds: (performance.now() - startedMs) / 1_000,
    statuses: counted(statuses),
    reads: sortedFired.length,
    refused: fired.refused,
    isAlive: residentMiB(pid) !== null,
  };
}

/** Requests logs, reads the whole answer and discards it. @returns the HTTP status, or 0 if the request failed */
async function statusOf(port: number, key: string, index: number): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getLogs',
    params: [{ fromBlock: `0x${index.toString(16)}`, toBlock: 'latest' }],
  });
  const socket = connect({ port, host: '127.0.0.1' });
  let status = 0;
  socket.once('data', (chunk: Buffer) => (status = Number(chunk.toString('latin1', 9, 12))));
  const isWhole = new Promise<void>((resolve) => {
    let read = 0;
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (status !== 200 || read >= ANSWER_BYTES) resolve();
    });
    socket.once('close', () => resolve()).on('error', () => resolve());
  });
  socket.write(rpcRequest({ path: LARGE_PATH, body, credential: `Authorization: Bearer ${key}` }));
  await Promise.race([isWhole, sleep(ANSWERED_WITHIN_MS, undefined, { ref: false })]);
  socket.destroy();
  return status;
}

/** Returns null if the process has ended. */
function residentMiB(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1_024;
  } catch {
    return null;
  }
}

/** Renders the result as Markdown; empty if nothing was measured. */
export function renderChunks(row: ChunksRow | null): string {
  if (row === null) return '';
  const { idleMiB, peakMiB, idleP50Ms, firedP50Ms, idleP99Ms, firedP99Ms, seconds, statuses, reads, refused, isAlive } =
    row;
  const ratio = firedP99Ms / idleP99Ms;
  const isHeld = isAlive && peakMiB - idleMiB < GROWTH_MIB_MAX && ratio < RATIO_MAX;
  return [
    `${ANSWERS} answers of ${ANSWER_BYTES / 1e6} MB in chunks of one byte, with a heap of ${HEAP_MIB} MiB and ${OTHERS} other callers. Limits: the gateway is alive, uses less than ${GROWTH_MIB_MAX} MiB more than idle, and the p99 of the other callers is below ${RATIO_MAX} times the idle p99.`,
    '',
    '| alive | MiB idle | peak | p50 ms idle | meanwhile | p99 ms idle | meanwhile | × | reads | refused | large answers | took | held |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|---|',
    `| ${isAlive ? 'yes' : 'no'} | ${idleMiB.toFixed(0)} | +${(peakMiB - idleMiB).toFixed(0)} | ${idleP50Ms.toFixed(1)} | ${firedP50Ms.toFixed(1)} | ${idleP99Ms.toFixed(1)} | ${firedP99Ms.toFixed(1)} | ${ratio.toFixed(2)} | ${reads} | ${refused} | ${statuses} | ${seconds.toFixed(0)} s | ${isHeld ? 'yes' : 'no'} |`,
    '',
  ].join('\n');
}
