import { isHex } from 'viem';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../config/secret';
import { RpcNetworks } from './networks';
import { errorOf, type NodeScript, refusingUrl, resultOf, scriptedNode, sound } from '@/test/scripted-node';
import { configSchema } from '../../config/schema';
import { networkClient } from './network-client';

const NETWORK = 'base-mainnet';

function networksOver(urls: readonly string[]): RpcNetworks {
  const { rpc } = configSchema.parse({ rpc: { healthChecks: { intervalMs: 0 } } });
  const networks = new RpcNetworks({
    rpc,
    networks: {
      [NETWORK]: { upstreams: urls.map((url) => ({ url: new Secret(url), headers: {} })), chainIdentity: false },
    },
  });
  onTestFinished(() => networks.close());
  return networks;
}

const silent: NodeScript = () => undefined;

describe("a chain is read through the gateway's own upstreams", () => {
  it('by viem, whichever of them answers', async () => {
    const node = await scriptedNode(sound('"0x2a"'));
    const client = networkClient(networksOver([await refusingUrl(), node.url]), NETWORK);
    for (let i = 0; i < 4; i++) expect(await client.getBlockNumber()).toBe(42n);
    expect(node.count('eth_blockNumber')).toBe(4);
  });

  it('a revert reaches the caller with its data', async () => {
    const node = await scriptedNode(
      ({ items: [item] }) =>
        `{"jsonrpc":"2.0","id":${item?.id},"error":{"code":3,"message":"execution reverted","data":"0x08c379a0"}}`,
    );
    const asked = networkClient(networksOver([node.url]), NETWORK).call({
      to: '0x0000000000000000000000000000000000000001',
      data: '0x',
    });
    await expect(asked).rejects.toThrow(/reverted/);
    await expect(asked).rejects.toSatisfy((error: { walk(test: (cause: unknown) => boolean): unknown }) => {
      const found = error.walk((cause) => typeof (cause as { data?: unknown }).data === 'string') as {
        data: string;
      } | null;
      return found !== null && isHex(found.data);
    });
  });

  it('rejects where there is no upstream, no node that answers, or no such network', async () => {
    await expect(networkClient(networksOver([]), NETWORK).getBlockNumber()).rejects.toThrow(/No upstream/);
    await expect(networkClient(networksOver([]), 'no-mainnet').getBlockNumber()).rejects.toThrow(/No upstream/);
    await expect(networkClient(networksOver([await refusingUrl()]), NETWORK).getBlockNumber()).rejects.toThrow(
      /refused the connection/,
    );
  });

  it('waits no longer than it was told', async () => {
    const node = await scriptedNode(silent);
    await expect(networkClient(networksOver([node.url]), NETWORK, { timeoutMs: 50 }).getBlockNumber()).rejects.toThrow(
      /within 50 ms/,
    );
  });

  it('sends a transaction once, whatever becomes of it, and never names the URL of a node', async () => {
    const node = await scriptedNode(({ items: [item] }) =>
      item?.method === 'eth_sendRawTransaction' ? 'nonsense' : resultOf(item as { id: number }, '"0x1"'),
    );
    const other = await scriptedNode(({ items: [item] }) => errorOf(item as { id: number }, -32000, 'nonce too low'));
    const sent = networkClient(networksOver([node.url, other.url]), NETWORK).sendRawTransaction({
      serializedTransaction: '0x02',
    });
    const error: Error = await sent.then(
      () => Promise.reject(new Error('Sent.')),
      (reason: Error) => reason,
    );
    expect(node.count('eth_sendRawTransaction') + other.count('eth_sendRawTransaction')).toBe(1);
    expect(String(error)).not.toContain('127.0.0.1');
  });
});
