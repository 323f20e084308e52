import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import { refusingUrl, resultOf, scriptedNode, sound } from '@/test/scripted-node';
import { networkHealthOf } from '../../rpc/network-health';

const RPC = { healthChecks: { intervalMs: 5_000 } };
const evm = ({ method }: { method: string }): string => (method === 'eth_chainId' ? '"0x1"' : '"0x10"');

const states = ({ backend }: RpcGateway) => networkHealthOf(backend).upstreams.map(({ state }) => state);

describe('when a gateway starts', { timeout: 30_000 }, () => {
  it('every upstream is checked at once, though nobody calls', async () => {
    for (const count of [1, 3]) {
      const nodes = await Promise.all(Array.from({ length: count }, () => scriptedNode(sound(evm))));
      const gateway = await rpcGateway(
        nodes.map(({ url }) => url),
        RPC,
        undefined,
        {},
      );
      await expect.poll(() => states(gateway), { timeout: 1_500 }).toEqual(nodes.map(() => 'healthy'));
    }
  });

  it.each([
    ['alone', 0],
    ['beside others', 1],
  ])('an upstream that refuses connections, %s, is failing within 15 s', async (_where, peers) => {
    const others = await Promise.all(Array.from({ length: peers }, () => scriptedNode(sound(evm))));
    const gateway = await rpcGateway([await refusingUrl(), ...others.map(({ url }) => url)], RPC, undefined, {});
    await expect.poll(() => states(gateway)[0], { timeout: 15_000 }).toBe('failing');
    expect(networkHealthOf(gateway.backend).upstreams[0]?.lastError?.message).toMatch(/connect/i);
  });

  it('an upstream that takes connections and is silent is failing within 15 s', async () => {
    const silent = await scriptedNode(() => undefined);
    const gateway = await rpcGateway([silent.url], RPC, undefined, {});
    await expect.poll(() => states(gateway)[0], { timeout: 15_000 }).toBe('failing');
  });

  it('an only upstream that failed is checked as often as one of several, and is healthy soon after it is back', async () => {
    const node = await scriptedNode((_asked, response) => void response.writeHead(500).end());
    const gateway = await rpcGateway([node.url], { healthChecks: { intervalMs: 1_000 } }, undefined, {});
    await expect.poll(() => states(gateway)[0], { timeout: 10_000 }).toBe('failing');
    gateway.backend.pool.watchedAt = performance.now();
    node.script = ({ items: [item] }) => resultOf(item!, evm(item!));
    await expect.poll(() => states(gateway)[0], { timeout: 4_000 }).toBe('healthy');
  });

  it('nothing is checked where health checks are off', async () => {
    const node = await scriptedNode(sound(evm));
    await rpcGateway([node.url], {}, undefined, {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(node.asked).toEqual([]);
  });
});
