import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import { Secret } from '../../config/secret';
import { type AskedItem, errorOf, scriptedNode, sound } from '@/test/scripted-node';

const HASH = `0x${'ab'.repeat(32)}`;
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const block = call('eth_getBlockByHash', [HASH, false]);
const chainId = call('eth_chainId');
const results = (item: AskedItem): string =>
  item.method === 'eth_chainId'
    ? '"0x1"'
    : item.method === 'eth_getBlockByHash'
      ? `{"hash":"${HASH}","number":"0x10"}`
      : '"0x5"';

/** Starts a gateway that knows that block 0x10 is final. */
async function finalGateway(upstreams: readonly string[], rpc: Record<string, unknown> = {}): Promise<RpcGateway> {
  const gateway = await rpcGateway(upstreams, rpc);
  gateway.backend.finalizedHeight = 0x10;
  return gateway;
}

describe('an answer that cannot change', () => {
  it('does not come back after a reload, once it was thrown away', async () => {
    const blockOf = (byte: string) => sound(() => `{"hash":"0x${byte.repeat(32)}","number":"0x1"}`);
    const [wrong, right] = [await scriptedNode(blockOf('bb')), await scriptedNode(blockOf('aa'))];
    const { ask, backend, gateway } = await finalGateway([wrong.url]);
    const byNumber = call('eth_getBlockByNumber', ['0x1', false]);
    expect((await ask(byNumber)).text).toContain('bbbb');
    backend.forget();
    const { rpc, networks } = gateway.config;
    const [slug, settings] = Object.entries(networks).find(([name]) => name === backend.network.slug)!;
    const upstreams = settings.upstreams.map((each) => ({ ...each, url: new Secret(right.url) }));
    gateway.networks.prepare({ rpc, networks: { ...networks, [slug]: { ...settings, upstreams } } })();
    expect((await ask(byNumber)).text).toContain('aaaa');
  });

  it('is asked for once, and billed each time as if fetched, under the id of each call', async () => {
    const node = await scriptedNode(sound(results));
    const { ask, charges } = await finalGateway([node.url]);
    const texts = [];
    for (const id of [1, 'two', 3]) texts.push((await ask({ ...block, id })).text);
    expect(texts[1]).toBe(`{"jsonrpc":"2.0","id":"two","result":{"hash":"${HASH}","number":"0x10"}}`);
    expect(node.asked).toHaveLength(1);
    expect(charges()).toEqual([20, 20, 20]);
  });

  it('is taken out of a batch, and the rest is fetched and put in its place', async () => {
    const node = await scriptedNode(sound(results));
    const { ask, charges } = await finalGateway([node.url]);
    await ask([chainId, block]);
    const answer = await ask([
      call('eth_blockNumber', [], 'a'),
      { ...block, id: 'b' },
      { ...chainId, id: 'c' },
      call('eth_gasPrice', [], 'd'),
    ]);
    expect((JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(node.asked.map(({ items }) => items.map(({ method }) => method))).toEqual([
      ['eth_chainId', 'eth_getBlockByHash'],
      ['eth_blockNumber', 'eth_gasPrice'],
    ]);
    expect(charges()).toEqual([40, 80]);
  });

  it('makes a batch that needs no upstream', async () => {
    const node = await scriptedNode(sound(results));
    const { ask } = await finalGateway([node.url]);
    await ask([chainId, block]);
    node.script = (_asked, response) => void response.writeHead(500).end();
    expect(await ask([block, chainId, block])).toMatchObject({ status: 200, credits: 60 });
  });

  it('is kept apart by params', async () => {
    const node = await scriptedNode(sound(results));
    const { ask } = await finalGateway([node.url]);
    await ask(block);
    await ask({ ...block, params: [HASH, true] });
    expect(node.asked).toHaveLength(2);
  });

  it('is not kept where the operator wants no cache', async () => {
    const node = await scriptedNode(sound(results));
    const { ask } = await finalGateway([node.url], { cacheBytesMax: 0 });
    await ask(block);
    await ask(block);
    expect(node.asked).toHaveLength(2);
  });
});

describe('is asked for again', () => {
  it.each([
    ['an error', 'eth_getBlockByHash', [HASH, false], null],
    ['null', 'eth_getBlockByHash', [HASH, false], 'null'],
    [
      'another block than was asked for',
      'eth_getBlockByHash',
      [HASH, false],
      `{"hash":"0x${'cd'.repeat(32)}","number":"0x10"}`,
    ],
    [
      'a block by its hash, before it is known what is final',
      'eth_getBlockByHash',
      [HASH, false],
      `{"hash":"${HASH}","number":"0x10"}`,
    ],
    ['a pending block', 'eth_getBlockByHash', [HASH, false], `{"hash":"${HASH}","number":null}`],
    ['the id of another chain', 'eth_chainId', [], '"0x2a"'],
    [
      'a receipt, before it is known what is final',
      'eth_getTransactionReceipt',
      [HASH],
      `{"transactionHash":"${HASH}","blockHash":"${HASH}","blockNumber":"0x1"}`,
    ],
    ['the latest block', 'eth_getBlockByNumber', ['latest', false], '{"number":"0x10"}'],
  ])('%s', async (_what, method, params, result) => {
    const node = await scriptedNode(({ items: [item] }) =>
      result === null ? errorOf(item!, -32000, 'oops') : `{"jsonrpc":"2.0","id":${item!.id},"result":${result}}`,
    );
    const { ask } = await rpcGateway([node.url]);
    await ask(call(method, params));
    await ask(call(method, params));
    expect(node.asked).toHaveLength(2);
  });
});

describe('what is final', () => {
  const receipt = call('eth_getTransactionReceipt', [HASH]);
  const node = (blockNumber: string) =>
    scriptedNode(sound(`{"transactionHash":"${HASH}","blockHash":"${HASH}","blockNumber":"${blockNumber}"}`));

  it('is kept once its block is final, and not before', async () => {
    const upstream = await node('0x64');
    const { ask, backend } = await rpcGateway([upstream.url]);
    backend.finalizedHeight = 99;
    await ask(receipt);
    await ask(receipt);
    expect(upstream.asked).toHaveLength(2);
    backend.finalizedHeight = 100;
    await ask(receipt);
    await ask(receipt);
    expect(upstream.asked).toHaveLength(3);
  });

  it('is forgotten where the chain turns out to be another: what was final is no longer', async () => {
    const upstream = await node('0x64');
    const { ask, backend } = await rpcGateway([upstream.url]);
    backend.finalizedHeight = 200;
    await ask(receipt);
    backend.finalizedHeight = 150;
    await ask(receipt);
    expect(upstream.asked).toHaveLength(2);
  });
});

describe('identical reads in flight', () => {
  const read = call('eth_getBalance', ['0x1', 'latest']);
  const slowly =
    (ms: number) =>
    async (asked: { batch: boolean; items: AskedItem[] }): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return `{"jsonrpc":"2.0","id":${asked.items[0]!.id},"result":"0x5"}`;
    };

  it('share one request, and each is answered under its own id and billed', async () => {
    const node = await scriptedNode(slowly(100));
    const { ask, charges } = await rpcGateway([node.url]);
    const answers = await Promise.all([1, 'two', 3].map((id) => ask({ ...read, id })));
    expect(answers.map(({ text }) => (JSON.parse(text) as { id: unknown }).id)).toEqual([1, 'two', 3]);
    expect(node.asked).toHaveLength(1);
    expect(charges()).toEqual([20, 20, 20]);
  });

  it('are not joined by other params, nor after the answer', async () => {
    const node = await scriptedNode(slowly(50));
    const { ask } = await rpcGateway([node.url]);
    await Promise.all([ask(read), ask({ ...read, params: ['0x2', 'latest'] })]);
    await ask(read);
    expect(node.asked).toHaveLength(3);
  });

  it('all fail where the one request fails, and none is billed', async () => {
    const node = await scriptedNode((_asked, response) => void setTimeout(() => response.writeHead(400).end(), 50));
    const { ask, charges } = await rpcGateway([node.url], { retryShare: 0 });
    const answers = await Promise.all([ask(read), ask(read)]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect([node.asked.length, charges()]).toEqual([1, []]);
  });

  it('go on when one leaves, who is charged like the one that stays', async () => {
    const node = await scriptedNode(slowly(200));
    const { ask, charges } = await rpcGateway([node.url]);
    const leaving = new AbortController();
    const first = ask(read, leaving.signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = ask(read);
    await new Promise((resolve) => setTimeout(resolve, 20));
    leaving.abort();
    await expect(first).rejects.toThrow();
    expect(await second).toMatchObject({ status: 200 });
    expect([node.asked.length, charges()]).toEqual([1, [20, 20]]);
  });

  it('are not joined across a send: what follows it must see it', async () => {
    let nonce = 0;
    const node = await scriptedNode(async ({ items: [item] }) => {
      const seen = nonce;
      if (item!.method === 'eth_sendRawTransaction') nonce++;
      else await new Promise((resolve) => setTimeout(resolve, 150));
      return `{"jsonrpc":"2.0","id":${item!.id},"result":${seen}}`;
    });
    const { ask } = await rpcGateway([node.url]);
    const before = ask(call('eth_getTransactionCount', ['0x1', 'latest']));
    await new Promise((resolve) => setTimeout(resolve, 40));
    await ask(call('eth_sendRawTransaction', ['0x']));
    const after = await ask(call('eth_getTransactionCount', ['0x1', 'latest']));
    expect([
      (JSON.parse((await before).text) as { result: number }).result,
      (JSON.parse(after.text) as { result: number }).result,
    ]).toEqual([0, 1]);
  });
});
