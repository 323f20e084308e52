import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { rpcRequest } from './load';
import { type GatewayOptions, type Program, startGateway, startRole } from './programs';

export const STALLED_READERS = 'readers';

const READERS = 64;
const MIB = 1024 * 1024;
const RPC_PATH = '/api/v1/crypto/rpc/ethereum-mainnet';
/** Time in which the gateway's buffers fill with the answers. */
const SETTLE_SECONDS = 10;
/** Time in which the gateway releases memory after the readers have disconnected. */
const AFTER_SECONDS = 60;

/** Effect of stalled readers on a gateway's memory. */
export interface ReadersRow {
  target: string;
  answerMiB: number;
  readers: number;
  /** Resident memory of the gateway's process, in MiB. */
  beforeMiB: number;
  peakMiB: number;
  afterMiB: number;
  /**
   * Seconds until the gateway had closed the last reader's connection; null if some connections were still open at the
   * end.
   */
  givenUpSeconds: number | null;
  /** Number of answers by status, among readers that got a status. */
  statuses: string;
  /** Statuses of another caller's small calls in the same time. */
  otherStatuses: string;
}

interface ReadersPlan {
  answerMiB: number;
  holdSeconds: number;
  entries: readonly GatewayOptions['entry'][];
}

/**
 * Measures the memory of a gateway while 64 readers request large answers, read the first bytes and then stop reading.
 */
export async function measureReaders(
  { answerMiB, holdSeconds, entries }: ReadersPlan,
  track: <T extends Pick<Program, 'stop'>>(program: T) => T,
  progress: (text: string) => void,
  checkout?: string,
): Promise<ReadersRow[]> {
  const rows: ReadersRow[] = [];
  const stub = track(await startRole('stub', String(answerMiB * MIB)));
  for (const entry of entries) {
    progress(`${STALLED_READERS}: ${READERS} readers of ${answerMiB} MiB, ${entry}`);
    const gateway = track(
      await startGateway({
        upstreamUrl: `http://127.0.0.1:${stub.port}`,
        entry,
        callers: READERS + 1,
        wallets: 0,
        ...(checkout && { checkout }),
      }),
    );
    rows.push({ target: checkout ? `${entry}, baseline` : entry, answerMiB, ...(await stall(gateway, holdSeconds)) });
    await gateway.stop();
  }
  return rows;
}

async function stall(
  { pid, port, keys }: { pid: number; port: number; keys: string[] },
  holdSeconds: number,
): Promise<Omit<ReadersRow, 'target' | 'answerMiB'>> {
  const [other, ...callers] = keys as [string, ...string[]];
  const others: number[] = [];
  for (let i = 0; i < 50; i++) await askSmall(port, other, i);
  const beforeMiB = residentMiB(pid);
  const startedMs = performance.now();
  const readers = callers.map((key, index) => dial(port, logs(index, key)));
  let peakMiB = beforeMiB;
  let givenUpSeconds: number | null = null;
  while (performance.now() - startedMs < holdSeconds * 1000) {
    await sleep(250);
    peakMiB = Math.max(peakMiB, residentMiB(pid));
    others.push(await askSmall(port, other, others.length + 1000));
    const seconds = (performance.now() - startedMs) / 1000;
    if (givenUpSeconds === null && seconds > SETTLE_SECONDS && heldConnections(port) === 0) givenUpSeconds = seconds;
  }
  for (const { socket } of readers) socket.destroy();
  await sleep(AFTER_SECONDS * 1000);
  return {
    readers: READERS,
    beforeMiB,
    peakMiB,
    afterMiB: residentMiB(pid),
    givenUpSeconds,
    statuses: counted(readers.map(({ status }) => status())),
    otherStatuses: counted(others),
  };
}

/** Sends a request and reads only the first bytes of the answer. */
function dial(port: number, request: Buffer): { socket: Socket; status: () => number } {
  let status = 0;
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.once('data', (chunk: Buffer) => {
    status = Number(chunk.toString('latin1', 9, 12));
    socket.pause();
  });
  socket.write(request);
  return { socket, status: () => status };
}

function logs(index: number, key: string): Buffer {
  return rpcRequest({
    path: RPC_PATH,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getLogs',
      params: [{ fromBlock: `0x${index.toString(16)}`, toBlock: 'latest' }],
    }),
    credential: `Authorization: Bearer ${key}`,
  });
}

async function askSmall(port: number, key: string, index: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${RPC_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBalance',
      params: [`0x${index.toString(16).padStart(40, '0')}`, 'latest'],
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

function counted(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Array.from(counts, ([status, count]) => `${count} × ${status === 0 ? 'nothing' : status}`).join(', ');
}

function residentMiB(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kibibytes) / 1024;
}

const ESTABLISHED = '01';
const NOTHING_TO_SEND = '00000000:';

/** Counts the kernel's connections on this server port that have queued data. */
function heldConnections(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1);
  return lines.filter((line) => {
    const [, local = '', , state, queues = ''] = line.trim().split(/\s+/);
    return local.endsWith(`:${hex}`) && state === ESTABLISHED && !queues.startsWith(NOTHING_TO_SEND);
  }).length;
}

/** Renders the rows as Markdown; empty if nothing was measured. */
export function renderReaders(rows: readonly ReadersRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ target, answerMiB, readers, beforeMiB, peakMiB, afterMiB, givenUpSeconds, statuses, otherStatuses }) =>
      `| ${target} | ${readers} × ${answerMiB} MiB | ${beforeMiB.toFixed(0)} | +${(peakMiB - beforeMiB).toFixed(0)} | ${signed(afterMiB - beforeMiB)} | ${givenUpSeconds === null ? 'no' : `${givenUpSeconds.toFixed(0)} s`} | ${statuses} | ${otherStatuses} |`,
  );
  return [
    'Clients that read the first bytes of a large answer and then nothing. Resident memory in MiB; "after" is one minute after the clients have disconnected.',
    '',
    '| entry | answers | before | peak | after | all given up | their answers | small calls meanwhile |',
    '|---|---|--:|--:|--:|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(0)}`;
}
