import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GrownRow, Track } from './grown-row';
import { readAnswers, rpcRequest } from './load';
import { pace, PacedCalls, type Percentiles } from './open-loop';
import { startGateway, startRole, UNLIMITED } from './programs';
import { READS } from './workloads';

/** Call data that the stub answers after `SLOW_MS`. */
export const SLOW_DATA = '0x510e510e';
export const SLOW_MS = 5_000;

const PATH = '/api/v1/crypto/rpc/ethereum-mainnet';
const CALLS_PER_SECOND = 100;
const WARM_UP_MS = 1_000;

interface Ended {
  status: number;
  tookMs: number;
}

/** Measures a caller who makes a call every 10 ms, while another caller makes many slow calls. */
export async function measureSlowCalls(track: Track, progress: (text: string) => void): Promise<GrownRow[]> {
  progress('slow calls of one caller');
  const stub = track(await startRole('stub'));
  const { port, keys } = track(
    await startGateway({
      upstreamUrl: `http://127.0.0.1:${stub.port}`,
      entry: 'fast',
      callers: 2,
      wallets: 0,
      config: { limits: UNLIMITED },
    }),
  );
  const [other = '', slow = ''] = keys;
  const few = await beside(port, { other, slow, slowCalls: 128 });
  const many = await beside(port, { other, slow, slowCalls: 1_000 });
  return [
    {
      name: 'one caller with 128 slow calls to a network',
      measured: besideText(few.calls),
      before: 'others wait 13.6 s',
    },
    {
      name: 'one caller with 1,000 slow calls',
      measured: `${besideText(many.calls)}; the slow calls end as ${endsText(many.slow)}`,
      before: '856 end as 500 after 31 s',
    },
  ];
}

async function beside(
  port: number,
  { other, slow, slowCalls }: { other: string; slow: string; slowCalls: number },
): Promise<{ calls: Percentiles; slow: Ended[] }> {
  const requests = Array.from({ length: 400 }, (_none, index) => request(other, READS.body(index)));
  const calls = new PacedCalls(port, requests);
  let isOver = false;
  const pacing = pace([calls], { perSecond: CALLS_PER_SECOND, isOver: () => isOver });
  await sleep(WARM_UP_MS);
  calls.forget();
  const ended = await Promise.all(
    Array.from({ length: slowCalls }, (_none, index) => callOnce(port, request(slow, slowCall(index)))),
  );
  isOver = true;
  await pacing;
  while (calls.open > 0) await sleep(10);
  return { calls: calls.end(), slow: ended };
}

function request(key: string, body: string): Buffer {
  return rpcRequest({ path: PATH, body, credential: `Authorization: Bearer ${key}` });
}

function slowCall(index: number): string {
  const data = `${SLOW_DATA}${index.toString(16).padStart(8, '0')}`;
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [{ to: `0x${'1'.repeat(40)}`, data }, 'latest'],
  });
}

function callOnce(port: number, bytes: Buffer): Promise<Ended> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const end = (status: number): void => {
      resolve({ status, tookMs: performance.now() - startedAt });
      socket.destroy();
    };
    socket.once('connect', () => socket.write(bytes));
    socket.once('error', () => end(0)).once('close', () => end(0));
    readAnswers(socket, end);
  });
}

function besideText({ calls, failed, p50Ms, p99Ms, maxMs }: Percentiles): string {
  return `another's ${calls} calls take ${p50Ms.toFixed(1)} ms (p50), ${p99Ms.toFixed(0)} ms (p99), ${maxMs.toFixed(0)} ms at most, ${failed} fail`;
}

function endsText(ended: readonly Ended[]): string {
  const statuses = [...new Set(ended.map(({ status }) => status))].toSorted((one, other) => one - other);
  return statuses
    .map((status) => {
      const times = ended.filter((each) => each.status === status).map(({ tookMs }) => tookMs / 1_000);
      return `${times.length} × ${status === 0 ? 'closed' : status} after ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} s`;
    })
    .join(', ');
}
