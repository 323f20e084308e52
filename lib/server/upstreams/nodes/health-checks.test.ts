import { describe, expect, it } from 'vitest';
import { NETWORK, rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import { errorOf, type NodeScript, scriptedNode, type ScriptedNode, resultOf } from '@/test/scripted-node';
import { until } from '@/test/until';
import { networkHealth } from '../../api/crypto/rpc/health';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { networkHealthOf } from '../../rpc/network-health';
import type { RpcNetworks } from './networks';

const RPC = { healthChecks: { intervalMs: 40, lagBlocksMax: 5 }, attemptTimeoutMs: 1_000, hedging: { share: 0 } };
const READ = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x1', 'latest'] };
const hex = (height: number): string => `"0x${height.toString(16)}"`;

interface Chain {
  height: number;
  finalized?: number;
  chainId?: number;
}

const nodeOf =
  (chain: Chain): NodeScript =>
  ({ items: [item] }) => {
    if (item!.method === 'eth_blockNumber') return resultOf(item!, hex(chain.height));
    if (item!.method === 'eth_chainId') return resultOf(item!, hex(chain.chainId ?? 1));
    if (item!.method === 'eth_getBlockByNumber')
      return chain.finalized === undefined
        ? errorOf(item!, -32602, 'unknown tag')
        : resultOf(item!, `{"number":${hex(chain.finalized)}}`);
    return resultOf(item!, '"0x1"');
  };

const states = ({ backend }: RpcGateway) => networkHealthOf(backend).upstreams.map(({ state }) => state);

/** Returns the indexes of the nodes that reads go to. */
async function readersOf(gateway: RpcGateway, nodes: readonly ScriptedNode[]): Promise<number[]> {
  const before = nodes.map((node) => node.count(READ.method));
  for (let i = 0; i < 10; i++) expect((await gateway.ask({ ...READ, params: [`0x${i}`, 'latest'] })).status).toBe(200);
  return nodes.flatMap((node, i) => (node.count(READ.method) > (before[i] as number) ? [i] : []));
}

const LONG = { timeout: 30_000 };

describe('an upstream that', LONG, () => {
  it('lags is left out until it has caught up', async () => {
    const [behind, best] = [{ height: 100 }, { height: 106 }];
    const nodes = [await scriptedNode(nodeOf(behind)), await scriptedNode(nodeOf(best))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => states(gateway)[0] === 'lagging');
    expect(networkHealthOf(gateway.backend).upstreams[0]).toMatchObject({ height: 100, lagBlocks: 6 });
    expect(await readersOf(gateway, nodes)).toEqual([1]);
    behind.height = 105;
    await until(() => states(gateway)[0] === 'healthy');
    expect(gateway.charges()).toHaveLength(11);
  });

  it('lags is not asked beside a slow one either: it would win with an old answer', async () => {
    const slow: NodeScript = async (asked, response) => {
      if (asked.items[0]?.method === READ.method) await new Promise((resolve) => setTimeout(resolve, 100));
      return nodeOf({ height: 106 })(asked, response) as string;
    };
    const nodes = [await scriptedNode(nodeOf({ height: 1 })), await scriptedNode(slow)];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      { ...RPC, hedging: { minDelayMs: 5, maxDelayMs: 5 } },
    );
    await gateway.ask(READ);
    await until(() => states(gateway)[0] === 'lagging');
    expect(await readersOf(gateway, nodes)).toEqual([1]);
  });

  it('makes up a height is left out, and none of the others is behind it', async () => {
    const [mad, right] = [{ height: 100 }, { height: 101 }];
    const nodes = [await scriptedNode(nodeOf(mad)), await scriptedNode(nodeOf(right))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => networkHealthOf(gateway.backend).upstreams[1]?.height === 101);
    mad.height = 2 ** 50;
    await until(() => states(gateway)[0] === 'failing');
    expect(networkHealthOf(gateway.backend).upstreams).toMatchObject([
      { height: null, lagBlocks: null },
      { state: 'healthy', height: 101, lagBlocks: 0 },
    ]);
    expect(await readersOf(gateway, nodes)).toEqual([1]);
    mad.height = 101;
    await until(() => states(gateway)[0] === 'healthy');
  });

  it('lags within bounds is asked', async () => {
    const nodes = [await scriptedNode(nodeOf({ height: 101 })), await scriptedNode(nodeOf({ height: 106 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => networkHealthOf(gateway.backend).upstreams[0]?.lagBlocks === 5);
    expect(states(gateway)).not.toContain('lagging');
  });

  it('serves another chain is left out, however far that is', async () => {
    const nodes = [
      await scriptedNode(nodeOf({ height: 9_000_000, chainId: 5 })),
      await scriptedNode(nodeOf({ height: 100 })),
    ];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
      undefined,
      {},
    );
    await gateway.ask(READ);
    // The checks of the upstreams may end in any order.
    await until(
      () => states(gateway)[0] === 'wrongChain' && networkHealthOf(gateway.backend).upstreams[1]?.lagBlocks !== null,
    );
    expect(networkHealthOf(gateway.backend).upstreams).toMatchObject([
      {
        lastError: { message: `it serves another chain: its eth_chainId is 0x5, but ${NETWORK} has 0x1` },
        height: null,
      },
      { state: 'healthy', lagBlocks: 0 },
    ]);
    expect(await readersOf(gateway, nodes)).toEqual([1]);
  });

  it.each([
    ['is silent', (() => undefined) as NodeScript],
    ['answers with an error', (({ items: [item] }) => errorOf(item!, -32603, 'internal')) as NodeScript],
    ['answers nonsense', (({ items: [item] }) => resultOf(item!, '"many"')) as NodeScript],
    ['answers HTML', (() => '<html>') as NodeScript],
  ])('%s to health checks is left out, and let in again', async (_what, script) => {
    const nodes = [await scriptedNode(nodeOf({ height: 100 })), await scriptedNode(nodeOf({ height: 100 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      { ...RPC, attemptTimeoutMs: 600 },
    );
    await gateway.ask(READ);
    const [bad] = nodes as [ScriptedNode];
    bad.script = (asked, response) =>
      asked.items[0]?.method === READ.method ? nodeOf({ height: 100 })(asked, response) : script(asked, response);
    await until(() => states(gateway)[0] === 'failing');
    expect(await readersOf(gateway, nodes)).toEqual([1]);
    bad.script = nodeOf({ height: 100 });
    await until(() => states(gateway)[0] === 'healthy');
  });
});

describe('health checks', LONG, () => {
  it('never leave out all', async () => {
    const bad: NodeScript = ({ items: [item] }) => (item!.method === READ.method ? resultOf(item!, '1') : '<html>');
    const nodes = [await scriptedNode(bad), await scriptedNode(bad)];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => states(gateway).every((state) => state === 'failing'));
    expect((await gateway.ask(READ)).status).toBe(200);
  });

  it('are made once of a network that nobody uses, and not again', async () => {
    const nodes = [await scriptedNode(nodeOf({ height: 1 })), await scriptedNode(nodeOf({ height: 1 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await until(() => states(gateway).every((state) => state === 'healthy'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(nodes.map((node) => node.count('eth_blockNumber'))).toEqual([1, 1]);
  });

  it('find out what is final: the least that sound upstreams say, or a depth where they do not know', async () => {
    const nodes = [
      await scriptedNode(nodeOf({ height: 1_000, finalized: 930 })),
      await scriptedNode(nodeOf({ height: 1_001, finalized: 940 })),
    ];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => gateway.backend.finalizedHeight === 930);
    const plain = await scriptedNode(nodeOf({ height: 1_000 }));
    const alone = await rpcGateway([plain.url], { healthChecks: { intervalMs: 10, finalityDepth: 100 } });
    await alone.ask(READ);
    await until(() => alone.backend.finalizedHeight === 900);
  });

  it('keep what is final while a check fails', async () => {
    let isDown = false;
    const sound = nodeOf({ height: 4_096, finalized: 16 });
    const script: NodeScript = (asked, response) =>
      isDown ? void response.writeHead(503).end() : sound(asked, response);
    const nodes = [await scriptedNode(script), await scriptedNode(script)];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => gateway.backend.finalizedHeight === 16);
    isDown = true;
    await until(() => states(gateway).every((state) => state !== 'healthy'));
    isDown = false;
    await until(() => states(gateway).every((state) => state === 'healthy'));
    expect(gateway.backend.finalizedHeight).toBe(16);
  });

  it('keep what is final while the upstream refuses to say it', async () => {
    const chain: Chain = { height: 4_096, finalized: 16 };
    const node = await scriptedNode(nodeOf(chain));
    const { ask, backend } = await rpcGateway([node.url], { healthChecks: { intervalMs: 10 } });
    await ask(READ);
    await until(() => backend.finalizedHeight === 16);
    delete chain.finalized;
    const checks = node.count('eth_blockNumber');
    await until(() => node.count('eth_blockNumber') > checks + 1);
    expect(backend.finalizedHeight).toBe(16);
  });

  it('ask Solana for its slot and Starknet for its block', async () => {
    for (const [network, kind, method] of [
      ['solana-mainnet', 'getBalance', 'getSlot'],
      ['starknet-mainnet', 'starknet_getNonce', 'starknet_blockNumber'],
    ] as const) {
      const nodes = [
        await scriptedNode(({ items: [item] }) => resultOf(item!, '7')),
        await scriptedNode(({ items: [item] }) => resultOf(item!, '7')),
      ];
      const gateway = await rpcGateway(
        nodes.map(({ url }) => url),
        RPC,
        network,
      );
      await gateway.ask({ jsonrpc: '2.0', id: 1, method: kind, params: [] });
      await until(() => nodes.every((node) => node.count(method) > 0));
      await until(() => networkHealthOf(gateway.backend).upstreams.every(({ height }) => height === 7));
    }
  });
});

describe('GET /api/network-health', LONG, () => {
  it('tells how upstreams do, by their place and never by their URL', async () => {
    const nodes = [
      await scriptedNode(nodeOf({ height: 106 })),
      await scriptedNode((_asked, response) => void response.writeHead(500).end()),
    ];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => `${url.replace('http://', 'http://user:s3cret@')}/k3y?key=k3y`),
      RPC,
    );
    await gateway.ask(READ);
    await until(() => states(gateway)[1] === 'failing');
    const { GET } = gateway.gateway.router.resolve('/api/network-health').endpoint;
    const reply = await GET!({ clientIp: '192.0.2.1', header: () => null } as never);
    const body = String(reply.body);
    expect(body).not.toMatch(/k3y|s3cret|127\.0\.0\.1/);
    expect(JSON.parse(body)).toMatchObject({
      networks: [
        {
          network: NETWORK,
          kind: 'evm',
          upstreams: [
            {
              name: 'upstream 1',
              state: 'healthy',
              height: 106,
              lagBlocks: 0,
              lastError: null,
              latencyP50Ms: expect.any(Number) as number,
            },
            {
              name: 'upstream 2',
              state: 'failing',
              height: null,
              lastError: { message: 'it answered with status 500', at: expect.stringMatching(/^\d{4}-.*Z$/) as string },
            },
          ],
        },
      ],
    });
  });

  it('is made once for clients that ask at the same moment', async () => {
    let made = 0;
    const { GET } = networkHealth({
      networks: { backends: () => (made++, []) } as unknown as RpcNetworks,
      consoleLimiter: new AddressLimiter(100),
    });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => GET!({ clientIp: '192.0.2.1', header: () => null } as never)),
    );
    expect(new Set(replies.map(({ body }) => String(body)))).toEqual(new Set(['{"networks":[]}']));
    expect(made).toBe(1);
  });

  it('is limited by address', async () => {
    const node = await scriptedNode();
    const { gateway } = await rpcGateway([node.url]);
    const { GET } = gateway.router.resolve('/api/network-health').endpoint;
    const ask = () => GET!({ clientIp: '192.0.2.1', header: () => null } as never);
    for (let i = 0; i < 120; i++) await ask();
    expect(ask).toThrow(expect.objectContaining({ code: 'MINUTE_CAP' }) as Error);
  });
});
