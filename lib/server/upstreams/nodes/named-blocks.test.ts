import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import {
  type AskedItem,
  errorOf,
  type NodeScript,
  resultOf,
  scriptedNode,
  type ScriptedNode,
} from '@/test/scripted-node';

/** Calls at named blocks. One node has them; the other is behind and answers sooner. */

const RPC = { hedging: { share: 0 }, timeoutMs: 5_000, retryShare: 0 };
const LONG = { timeout: 60_000 };
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const hex = (height: number): string => `0x${height.toString(16)}`;
const hashOf = (height: number): string => `0x${height.toString(16).padStart(64, '0')}`;
const transactionIn = (height: number): string => `0x${'f'.repeat(10)}${height.toString(16).padStart(54, '0')}`;

interface Chain {
  height: number;
  /** Error of the node for a block that it does not have. */
  absent: [code: number, message: string];
}

const logAt = (height: number): object => ({
  blockNumber: hex(height),
  blockHash: hashOf(height),
  transactionHash: transactionIn(height),
});
const blockAt = (height: number): object => ({
  number: hex(height),
  hash: hashOf(height),
  transactions: [transactionIn(height)],
});

/** Returns a node's result; null for the error about a missing block. */
function resultFrom({ height }: Chain, { method, params }: AskedItem): unknown {
  const [first, second] = params as [unknown, unknown];
  const has = (named: unknown): boolean => Number(named) <= height;
  switch (method) {
    case 'eth_blockNumber':
      return hex(height);
    case 'eth_getBlockByNumber':
      return first === 'latest' ? blockAt(height) : has(first) ? blockAt(Number(first)) : null;
    case 'eth_getBlockByHash':
      return has(first) ? blockAt(Number(first)) : null;
    case 'eth_getBlockReceipts':
      return has(first) ? [logAt(Number(first))] : null;
    case 'eth_getTransactionReceipt':
      return has(`0x${(first as string).slice(12)}`) ? logAt(Number(`0x${(first as string).slice(12)}`)) : null;
    case 'eth_getLogs': {
      const { blockHash, toBlock } = first as { blockHash?: string; toBlock?: string };
      if (blockHash !== undefined) return has(blockHash) ? [logAt(Number(blockHash))] : undefined;
      return has(toBlock) ? [logAt(Number(toBlock))] : [];
    }
    default:
      return has(typeof first === 'string' && second === undefined ? first : second)
        ? `at ${Number(second ?? first)}`
        : undefined;
  }
}

const scriptOf =
  (chain: Chain): NodeScript =>
  ({ batch, items }) => {
    const answers = items.map((item) => {
      const result = resultFrom(chain, item);
      return result === undefined ? errorOf(item, ...chain.absent) : resultOf(item, JSON.stringify(result));
    });
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };

interface Stage {
  gateway: RpcGateway;
  ahead: Chain;
  behind: Chain;
  nodes: [ahead: ScriptedNode, behind: ScriptedNode];
}

async function stageOf(aheadAt: number, behindAt: number, rpc: object = {}): Promise<Stage> {
  const ahead: Chain = { height: aheadAt, absent: [-32000, 'header not found'] };
  const behind: Chain = { height: behindAt, absent: [-32000, 'header not found'] };
  // The node that has the block answers more slowly.
  const slow: NodeScript = async (asked, response) => {
    await sleep(15);
    return scriptOf(ahead)(asked, response) as string;
  };
  const nodes: Stage['nodes'] = [await scriptedNode(slow), await scriptedNode(scriptOf(behind))];
  const gateway = await rpcGateway(
    nodes.map(({ url }) => url),
    { ...RPC, ...rpc },
  );
  return { gateway, ahead, behind, nodes };
}

const resultIn = ({ text }: { text: string }): unknown => (JSON.parse(text) as { result?: unknown }).result;

/** Asks until the node with the newest block has told the caller of it. */
async function tell({ gateway, ahead }: Stage): Promise<number> {
  for (let i = 0; i < 8; i++)
    if (Number(resultIn(await gateway.ask(call('eth_blockNumber')))) === ahead.height) return ahead.height;
  throw new Error('The caller was not told of the newest block.');
}

const CALLS: [
  what: string,
  method: string,
  params: (height: number) => unknown[],
  expected: (height: number) => unknown,
][] = [
  ['a block by number', 'eth_getBlockByNumber', (n) => [hex(n), false], blockAt],
  ['receipts by number', 'eth_getBlockReceipts', (n) => [hex(n)], (n) => [logAt(n)]],
  ['logs up to it', 'eth_getLogs', (n) => [{ fromBlock: hex(n - 3), toBlock: hex(n) }], (n) => [logAt(n)]],
  ['a balance at it', 'eth_getBalance', (n) => ['0x1', hex(n)], (n) => `at ${n}`],
  ['a call at it', 'eth_call', (n) => [{ to: '0x1', data: `0x${'00'.repeat(9_000)}` }, hex(n)], (n) => `at ${n}`],
  ['a trace of it', 'trace_block', (n) => [hex(n)], (n) => `at ${n}`],
];

describe('a caller who was told of a block by one of two nodes', LONG, () => {
  it.each(CALLS)('is answered about it: %s', async (_what, method, params, expected) => {
    const stage = await stageOf(1_000, 990);
    for (let i = 0; i < 6; i++) {
      stage.ahead.height++;
      const height = await tell(stage);
      const answer = await stage.gateway.ask(call(method, params(height)));
      expect(resultIn(answer)).toEqual(expected(height));
    }
    expect(stage.nodes[1].count(method)).toBe(0);
  });

  it.each<[string, string, (height: number) => unknown[], (height: number) => unknown]>([
    ['logs of its hash', 'eth_getLogs', (n) => [{ blockHash: hashOf(n) }], (n) => [logAt(n)]],
    ['the block of its hash', 'eth_getBlockByHash', (n) => [hashOf(n), false], blockAt],
    ['the receipt of a transaction in it', 'eth_getTransactionReceipt', (n) => [transactionIn(n)], logAt],
  ])('and of its hash: %s', async (_what, method, params, expected) => {
    const stage = await stageOf(1_000, 990);
    for (let i = 0; i < 6; i++) {
      stage.ahead.height++;
      await tell(stage);
      await stage.gateway.ask(call('eth_getBlockByNumber', ['latest', false]));
      const answer = await stage.gateway.ask(call(method, params(stage.ahead.height)));
      expect(resultIn(answer)).toEqual(expected(stage.ahead.height));
    }
  });

  it('by logs is answered about the hash that they told of', async () => {
    const stage = await stageOf(1_000, 990);
    const height = await tell(stage);
    await stage.gateway.ask(call('eth_getLogs', [{ fromBlock: hex(height), toBlock: hex(height) }]));
    const answer = await stage.gateway.ask(call('eth_getBlockByHash', [hashOf(height), true]));
    expect(resultIn(answer)).toEqual(blockAt(height));
    expect(stage.nodes[1].count('eth_getBlockByHash')).toBe(0);
  });

  it('is answered in a batch too', async () => {
    const stage = await stageOf(1_000, 990);
    const height = await tell(stage);
    const items = CALLS.map(([, method, params], id) => call(method, params(height), id));
    const answer = await stage.gateway.ask(items);
    expect((JSON.parse(answer.text) as { result: unknown }[]).map(({ result }) => result)).toEqual(
      CALLS.map(([, , , expected]) => expected(height)),
    );
  });

  it('waits for the other node where the one that told rests, and gets the block once it is there', async () => {
    for (const [, method, params, expected] of CALLS) {
      const stage = await stageOf(1_000, 999);
      const height = await tell(stage);
      stage.gateway.backend.pool.nodes[0]?.rest(performance.now(), 60_000);
      setTimeout(() => (stage.behind.height = height), 250);
      const answer = await stage.gateway.ask(call(method, params(height)));
      expect(resultIn(answer), method).toEqual(expected(height));
    }
  });

  it('gets no logs from a node that is behind, though they are not empty: the call waits until that node has the block', async () => {
    const stage = await stageOf(1_000, 999, { retryShare: 1 });
    const height = await tell(stage);
    stage.nodes[0].script = (_asked, response) => {
      response.statusCode = 429;
      return '{}';
    };
    stage.nodes[1].script = (asked, response) => {
      const [item] = asked.items as [AskedItem];
      if (item.method !== 'eth_getLogs') return scriptOf(stage.behind)(asked, response);
      return resultOf(item, JSON.stringify([logAt(999), logAt(1_000)].slice(0, stage.behind.height - 998)));
    };
    setTimeout(() => (stage.behind.height = height), 250);
    const answer = await stage.gateway.ask(call('eth_getLogs', [{ fromBlock: hex(999), toBlock: hex(height) }]));
    expect(resultIn(answer)).toEqual([logAt(999), logAt(1_000)]);
  });

  it.each(['safe', 'finalized'])('does not see the %s block go back', async (tag) => {
    const stage = await stageOf(1_000, 990);
    for (const [i, chain] of [stage.ahead, stage.behind].entries()) {
      const node = stage.nodes[i] as ScriptedNode;
      const { script } = node;
      node.script = (asked, response) => {
        const [item] = asked.items as [AskedItem];
        return (item.params as unknown[])[0] === tag
          ? resultOf(item, JSON.stringify(blockAt(chain.height - 64)))
          : script(asked, response);
      };
    }
    let before = 0;
    for (let i = 0; i < 12; i++) {
      const height = Number(
        (resultIn(await stage.gateway.ask(call('eth_getBlockByNumber', [tag, false]))) as { number: string }).number,
      );
      expect(height).toBeGreaterThanOrEqual(before);
      before = height;
    }
    expect(before).toBe(936);
  });

  it('gets no null and no empty list for it where no node has it: a failure, in bounded time, at no charge', async () => {
    for (const [what, method, params] of CALLS.slice(0, 3)) {
      const stage = await stageOf(1_000, 999);
      const height = await tell(stage);
      const before = stage.gateway.charges().length;
      stage.gateway.backend.pool.nodes[0]?.rest(performance.now(), 60_000);
      const answer = await stage.gateway.ask(call(method, params(height)));
      expect(answer.status, what).toBe(500);
      expect(answer.text).toContain('it does not have the block');
      expect(stage.gateway.charges()).toHaveLength(before);
    }
  });
});

describe('a caller who was told of nothing', LONG, () => {
  it('is answered by the node that has the block, after heads were read', async () => {
    for (const [, method, params, expected] of CALLS) {
      const stage = await stageOf(1_000, 990);
      expect(resultIn(await stage.gateway.ask(call(method, params(1_000)))), method).toEqual(expected(1_000));
      expect(stage.nodes[1].count(method)).toBe(0);
    }
  });

  it('and asks for a block that is not there yet is told so at once', async () => {
    const stage = await stageOf(1_000, 990);
    const startedAt = performance.now();
    for (let i = 0; i < 3; i++)
      expect(resultIn(await stage.gateway.ask(call('eth_getBlockByNumber', [hex(1_001), false])))).toBeNull();
    expect(
      resultIn(await stage.gateway.ask(call('eth_getLogs', [{ fromBlock: hex(1_001), toBlock: hex(1_005) }]))),
    ).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(stage.gateway.charges()).toEqual([20, 20, 20, 20]);
  });

  it('and asks for a hash that nobody told of has all nodes asked, each once, before it is null', async () => {
    const stage = await stageOf(1_000, 990);
    expect(resultIn(await stage.gateway.ask(call('eth_getBlockByHash', [hashOf(1_000), false])))).toEqual(
      blockAt(1_000),
    );
    const before = stage.nodes.map((node) => node.count('eth_getBlockByHash'));
    expect(resultIn(await stage.gateway.ask(call('eth_getBlockByHash', [hashOf(5_000_000), false])))).toBeNull();
    expect(stage.nodes.map((node, i) => node.count('eth_getBlockByHash') - (before[i] ?? 0))).toEqual([1, 1]);
  });
});

describe('“I do not have this block”, in whatever words', LONG, () => {
  it.each<[code: number, message: string]>([
    [-32000, 'unknown block'],
    [-39001, 'Unknown block'],
    [-32014, 'missing data'],
    [-32000, 'block not found: 0x3e8'],
    [-32000, 'cannot query unfinalized data'],
    [-32000, 'requested block is not available'],
  ])('%i %s: the other node answers, and the retry budget is not touched', async (code, message) => {
    const stage = await stageOf(1_000, 1_000);
    // This node reports the block but does not serve its state.
    stage.nodes[1].script = (asked, response) =>
      asked.items[0]?.method === 'eth_getBalance'
        ? errorOf(asked.items[0], code, message)
        : scriptOf(stage.behind)(asked, response);
    for (let i = 0; i < 4; i++)
      expect(resultIn(await stage.gateway.ask(call('eth_getBalance', [`0x${i}`, hex(1_000)])))).toBe('at 1000');
    expect(stage.gateway.charges()).toEqual([20, 20, 20, 20]);
  });
});

/** Two nodes of another chain family. The second is behind. Each answers by its height. */
async function familyOf(network: string, answer: (item: AskedItem, height: number) => string) {
  const heights = [1_000, 990];
  const nodes = await Promise.all(heights.map((height) => scriptedNode(({ items: [item] }) => answer(item!, height))));
  const gateway = await rpcGateway(
    nodes.map(({ url }) => url),
    RPC,
    network,
  );
  return {
    nodes,
    ask: async (method: string, params: unknown[]) =>
      JSON.parse((await gateway.ask(call(method, params))).text) as { result?: unknown; error?: { code: number } },
  };
}

describe('slots of Solana', LONG, () => {
  const answer = (item: AskedItem, height: number): string => {
    const [first, config] = item.params as [unknown, { minContextSlot?: number } | undefined];
    if (item.method === 'getSlot') return resultOf(item, `${height}`);
    if (item.method === 'getBlock')
      return Number(first) <= height
        ? resultOf(item, '{"blockhash":"x"}')
        : errorOf(item, -32_004, `Block not available for slot ${String(first)}`);
    return (config?.minContextSlot ?? 0) <= height
      ? resultOf(item, `{"context":{"slot":${height}},"value":1}`)
      : errorOf(item, -32_016, 'Minimum context slot has not been reached');
  };

  it('are read of a node that has them, by their commitment and by the least slot that is demanded', async () => {
    const { ask, nodes } = await familyOf('solana-mainnet', answer);
    for (let slot = 991; slot <= 1_000; slot += 3) {
      expect(await ask('getBlock', [slot, { commitment: 'confirmed' }])).toMatchObject({ result: { blockhash: 'x' } });
      expect(await ask('getBalance', ['a', { commitment: 'confirmed', minContextSlot: slot }])).toMatchObject({
        result: { context: { slot: 1_000 } },
      });
    }
    expect(nodes[1]?.count('getBlock')).toBe(0);
    expect((await ask('getBlock', [2_000, { commitment: 'confirmed' }])).error?.code).toBe(-32_004);
  });
});

describe('blocks of Starknet', LONG, () => {
  it('are read of a node that has them, by position and by name', async () => {
    const answer = (item: AskedItem, height: number): string => {
      const text = JSON.stringify(item.params);
      const named = Number(/"block_number":(\d+)/.exec(text)?.[1] ?? 0);
      if (item.method === 'starknet_blockNumber') return resultOf(item, `${height}`);
      return named <= height ? resultOf(item, '"0x5"') : errorOf(item, 24, 'Block not found');
    };
    const { ask, nodes } = await familyOf('starknet-mainnet', answer);
    for (const block of [991, 995, 1_000])
      expect(await ask('starknet_getNonce', [{ block_number: block }, `0x${block}`])).toMatchObject({ result: '0x5' });
    expect(nodes[1]?.count('starknet_getNonce')).toBe(0);
    expect((await ask('starknet_getNonce', [{ block_number: 2_000 }, '0x1'])).error?.code).toBe(24);
  });
});
