import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GrownRow, Track } from './grown-row';
import { type GatewayProgram, startGateway } from './programs';

const NETWORKS = 200;
const UPSTREAMS = 16;
const FIRST_CHAIN_ID = 900_000;
const SETTLE_MS = 30_000;
const IDLE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Measures how often the gateway checks upstreams that nobody uses. */
export async function measureIdleNetworks(track: Track, progress: (text: string) => void): Promise<GrownRow[]> {
  progress('idle networks');
  const nodes = track(await startNodes());
  track(await startWithNetworks(nodes.port));
  await sleep(SETTLE_MS);
  const first = nodes.asked();
  await sleep(IDLE_MS);
  const idle = nodes.asked() - first;
  return [
    {
      name: `${NETWORKS} networks × ${UPSTREAMS} upstreams, nobody calling`,
      measured: `${Math.round((idle * DAY_MS) / IDLE_MS)} requests a day, after ${first} at the start`,
      before: '52 million a day',
    },
  ];
}

/** Starts a gateway over many networks, whose upstreams are all on this port. */
export function startWithNetworks(port: number, config: object = {}): Promise<GatewayProgram> {
  const networks = Array.from({ length: NETWORKS }, (_none, index) => {
    const chainId = FIRST_CHAIN_ID + index;
    const upstreams = Array.from(
      { length: UPSTREAMS },
      (_other, upstream) => `http://127.0.0.1:${port}/0x${chainId.toString(16)}?upstream=${upstream}`,
    );
    return [`bench${index}-mainnet`, { name: `Bench ${index}`, chainId, upstreams }] as const;
  });
  return startGateway({
    upstreamUrl: `http://127.0.0.1:${port}/0x1`,
    entry: 'fast',
    callers: 0,
    wallets: 0,
    config: { networks: Object.fromEntries(networks), ...config },
  });
}

interface Nodes {
  port: number;
  asked: () => number;
  stop: () => Promise<void>;
}

/**
 * Starts nodes of all chains in this process. The path names the chain id. They also list `models`, like a model
 * server.
 */
export async function startNodes(models: readonly object[] = []): Promise<Nodes> {
  let asked = 0;
  const list = JSON.stringify({ object: 'list', data: models });
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      asked++;
      const [path = ''] = (request.url ?? '').split('?');
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET') return void response.end(list);
      const block = { number: '0x14d5c00', hash: `0x${'1'.repeat(64)}`, parentHash: `0x${'2'.repeat(64)}` };
      const result = text.includes('eth_chainId') ? path.slice(1) : text.includes('getBlock') ? block : '0x14d5c3f';
      const id = /"id":([^,}]+)/.exec(text)?.[1] ?? 'null';
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
