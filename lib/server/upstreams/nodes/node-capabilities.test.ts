import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import { type AskedItem, errorOf, type NodeScript, resultOf, scriptedNode } from '@/test/scripted-node';
import { type BlockReference, HEAD_STATE } from './block-reference';
import { NodeCapabilities } from './node-capabilities';

const RPC = { hedging: { share: 0 }, retryShare: 0, timeoutMs: 5_000 };
const LONG = { timeout: 60_000 };
const HEAD = 10_000;
const hex = (height: number): string => `0x${height.toString(16)}`;
const call = (method: string, params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
const at = (height: number, span: number | null = null, data: BlockReference['data'] = 'state'): BlockReference => ({
  ...HEAD_STATE,
  at: 'number',
  height,
  span,
  data,
});
const error = (reference: BlockReference, message = '', method = 'm') => ({
  method,
  reference,
  message,
  headHeight: HEAD,
});

describe('what a node was found not to do', () => {
  it('state below the height at which it lacked some is asked of it last; history and newer state are not', () => {
    const capabilities = new NodeCapabilities();
    capabilities.learn('pruned', error(at(500)), 0);
    expect(
      [at(400), at(500), at(501), at(400, null, 'history')].map((reference) => capabilities.lacks('m', reference, 1)),
    ).toEqual([true, true, false, false]);
    expect(capabilities.prunedBelow('state', 1)).toBe(501);
  });

  it('state near its head may only be late', () => {
    const capabilities = new NodeCapabilities();
    capabilities.learn('pruned', error(at(HEAD - 5)), 0);
    expect(capabilities.lacks('m', at(HEAD - 5), 1)).toBe(false);
  });

  it('the first block that it states is believed', () => {
    const capabilities = new NodeCapabilities();
    capabilities.learn(
      'pruned',
      error(at(5, null, 'history'), 'Block 5 cleaned up, does not exist on node. First available block: 900'),
      0,
    );
    expect(capabilities.prunedBelow('history', 1)).toBe(900);
  });

  it.each([
    ['exceed maximum block range: 5000', 5_000],
    ['Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.', 10],
    ['eth_getLogs is limited to a 10,000 range', 10_000],
    ['You can make eth_getLogs requests with up to a 2K block range', 2_000],
    ['block range is too wide', 19_999],
  ])('ranges beyond its limit: %s', (message, limit) => {
    const capabilities = new NodeCapabilities();
    capabilities.learn('range-limit', error(at(50_000, 20_000, 'history'), message, 'eth_getLogs'), 0);
    expect(capabilities.rangeBlocksMax(1)).toBe(limit);
    expect(
      [at(50_000, limit), at(50_000, limit + 1)].map((reference) => capabilities.lacks('eth_getLogs', reference, 1)),
    ).toEqual([false, true]);
  });

  it('a limit on results does not limit ranges', () => {
    const capabilities = new NodeCapabilities();
    capabilities.learn(
      'range-limit',
      error(at(50_000, 20_000), 'query returned more than 10000 results', 'eth_getLogs'),
      0,
    );
    expect(capabilities.rangeBlocksMax(1)).toBeNull();
  });

  it('a method that it does not serve, and that for ten minutes', () => {
    const capabilities = new NodeCapabilities();
    capabilities.learn('no-method', { method: 'trace_block', reference: null, message: '', headHeight: 0 }, 0);
    expect(capabilities.missingMethods(1)).toEqual(['trace_block']);
    expect([
      capabilities.lacks('trace_block', null, 599_999),
      capabilities.lacks('trace_block', null, 600_001),
      capabilities.lacks('trace_call', null, 1),
    ]).toEqual([true, false, false]);
  });
});

/** Starts a fast node that cannot serve some calls and a slow one that can. */
async function stageOf(unable: (item: AskedItem) => string | null) {
  const head = (item: AskedItem): string | null =>
    item.method === 'eth_blockNumber' ? resultOf(item, JSON.stringify(hex(HEAD))) : null;
  const fast: NodeScript = ({ items: [item] }) => head(item!) ?? unable(item!) ?? resultOf(item!, '"fast"');
  const slow: NodeScript = async ({ items: [item] }) => {
    await sleep(10);
    return head(item!) ?? resultOf(item!, '"slow"');
  };
  const nodes = [await scriptedNode(fast), await scriptedNode(slow)];
  return {
    nodes,
    ...(await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    )),
  };
}

describe('a faster node that cannot do this', LONG, () => {
  it('has pruned the state: historical calls are answered by the other one, and it is asked once', async () => {
    const isOld = ({ params }: AskedItem): boolean => Number((params as string[])[1]) < HEAD - 128;
    const { ask, nodes, backend } = await stageOf((item) =>
      isOld(item) ? errorOf(item, -32000, `missing trie node ${'ab'.repeat(32)} (path )`) : null,
    );
    await ask(call('eth_blockNumber', []));
    await backend.pool.nodes[0]?.heads?.look(0);
    for (let i = 0; i < 100; i++)
      expect((await ask(call('eth_getBalance', [`0x${i}`, hex(1_000 - i)]))).text).toContain('slow');
    expect(nodes[0]?.count('eth_getBalance')).toBe(1);
  });

  it('does not serve the method: it is asked once', async () => {
    const { ask, nodes } = await stageOf((item) =>
      item.method === 'trace_block'
        ? errorOf(item, -32601, 'the method trace_block does not exist/is not available')
        : null,
    );
    for (let i = 0; i < 10; i++) expect((await ask(call('trace_block', [hex(5_000 + i)]))).text).toContain('slow');
    expect(nodes[0]?.count('trace_block')).toBeLessThanOrEqual(1);
  });

  it('serves shorter ranges only: wider ones are asked of the other one', async () => {
    const spanOf = ({ params }: AskedItem): number => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) + 1;
    };
    const { ask, nodes } = await stageOf((item) =>
      item.method === 'eth_getLogs' && spanOf(item) > 100
        ? errorOf(item, -32005, 'exceed maximum block range: 100')
        : null,
    );
    await ask(call('eth_blockNumber', []));
    for (let i = 0; i < 10; i++)
      expect((await ask(call('eth_getLogs', [{ fromBlock: hex(i), toBlock: hex(i + 999) }]))).text).toContain('slow');
    expect(nodes[0]?.count('eth_getLogs')).toBeLessThanOrEqual(1);
  });

  it('and no other can: its error is the answer', async () => {
    const unable = (item: AskedItem): string =>
      errorOf(item, -32601, 'the method trace_block does not exist/is not available');
    const nodes = [
      await scriptedNode(({ items: [item] }) => unable(item!)),
      await scriptedNode(({ items: [item] }) => unable(item!)),
    ];
    const { ask } = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    for (let i = 0; i < 3; i++)
      expect(await ask(call('trace_block', ['latest']))).toMatchObject({ status: 200, credits: 5 });
  });
});
