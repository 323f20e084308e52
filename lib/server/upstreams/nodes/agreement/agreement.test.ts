import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { keptLog } from '@/test/kept-log';
import { rpcGateway, type RpcAnswered } from '@/test/rpc-gateway';
import {
  type AskedItem,
  errorOf,
  type NodeScript,
  refusingUrl,
  resultOf,
  scriptedNode,
  type ScriptedNode,
} from '@/test/scripted-node';
import { networkHealthOf } from '../../../rpc/network-health';

/** Reads on which two of three nodes must agree, over nodes that lag, lie, fail and are slow. */

const LONG = { timeout: 60_000 };
const METHODS = [
  'eth_blockNumber',
  'eth_call',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getLogs',
  'eth_getTransactionReceipt',
  'eth_getCode',
];
const RPC = { timeoutMs: 4_000, attemptTimeoutMs: 2_000, hedging: { share: 0 }, retryShare: 0 };
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const hex = (height: number): string => `0x${height.toString(16)}`;

interface Chain {
  height: number;
  /** Returns a false answer as JSON; undefined for the true one. */
  lie?: (item: AskedItem) => string | undefined;
  slowMs?: number;
}

/** Includes method and params, so that different reads never have the same answer. */
const truthOf = ({ method, params }: AskedItem): string => JSON.stringify({ method, params });

const scriptOf =
  (chain: Chain): NodeScript =>
  async ({ batch, items }) => {
    const answers = await Promise.all(
      items.map(async (item) => {
        if (item.method === 'eth_blockNumber') return resultOf(item, `"${hex(chain.height)}"`);
        if (chain.slowMs) await sleep(chain.slowMs);
        const lie = chain.lie?.(item);
        if (lie !== undefined)
          return lie.startsWith('{"code"') ? `{"jsonrpc":"2.0","id":${item.id},"error":${lie}}` : resultOf(item, lie);
        if (item.method === 'eth_getBlockByNumber') {
          const [block] = item.params as [string];
          const height = block === 'latest' ? chain.height : block === 'finalized' ? chain.height - 64 : Number(block);
          return resultOf(
            item,
            height > chain.height ? 'null' : JSON.stringify({ number: hex(height), hash: `0x${'ab'.repeat(32)}` }),
          );
        }
        const named = (item.params as unknown[])[1];
        if (typeof named === 'string' && Number(named) > chain.height) return errorOf(item, -32000, 'header not found');
        return resultOf(item, truthOf(item));
      }),
    );
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };

async function stage(
  chains: readonly Chain[],
  {
    agreement = {},
    rpc = {},
    log = keptLog(),
  }: { agreement?: object; rpc?: object; log?: ReturnType<typeof keptLog> } = {},
) {
  const nodes = await Promise.all(chains.map((chain) => scriptedNode(scriptOf(chain))));
  const gateway = await rpcGateway(
    nodes.map(({ url }) => url),
    { ...RPC, ...rpc },
    undefined,
    { chainIdentity: false, agreement: { methods: METHODS, ...agreement } },
    log.log,
  );
  return { nodes, gateway, log, ask: (method: string, params: unknown[] = []) => gateway.ask(call(method, params)) };
}

const resultIn = ({ text }: RpcAnswered): unknown => (JSON.parse(text) as { result?: unknown }).result;
const errorIn = ({ text }: RpcAnswered) =>
  (JSON.parse(text) as { error: { code: number; message: string; data: Record<string, unknown> } }).error;
/** Returns the second parameter of each request of a method, over all nodes. */
const blocksAsked = (nodes: readonly ScriptedNode[], method: string): unknown[] =>
  nodes.flatMap(({ asked }) =>
    asked.flatMap(({ items }) =>
      items.filter((item) => item.method === method).map(({ params }) => (params as unknown[])[1]),
    ),
  );

describe('reads that several nodes must agree on', LONG, () => {
  it('are asked of all nodes at one number, whatever their heads, and priced by the nodes asked', async () => {
    const { nodes, gateway, ask } = await stage([{ height: 100 }, { height: 101 }, { height: 99 }]);
    const answer = await ask('eth_getBalance', ['0x1', 'latest']);
    expect(answer).toMatchObject({ status: 200, credits: 60, agreement: expect.stringMatching(/^[23]\/3$/) as string });
    expect(resultIn(answer)).toEqual({ method: 'eth_getBalance', params: ['0x1', '0x64'] });
    await expect.poll(() => new Set(blocksAsked(nodes, 'eth_getBalance'))).toEqual(new Set(['0x64']));
    expect(gateway.charges()).toEqual([60]);
  });

  it.each<[what: string, method: string, params: unknown[], asked: unknown]>([
    ['a block that is left out', 'eth_call', [{ to: '0x1' }], [{ to: '0x1' }, '0x64']],
    ['a block that is null', 'eth_call', [{ to: '0x1' }, null], [{ to: '0x1' }, '0x64']],
    ['an object of EIP-1898', 'eth_call', [{ to: '0x1' }, { blockNumber: 'latest' }], [{ to: '0x1' }, '0x64']],
    ['a tag of finality', 'eth_call', [{ to: '0x1' }, 'finalized'], [{ to: '0x1' }, '0x24']],
    ['a number', 'eth_call', [{ to: '0x1' }, '0x10'], [{ to: '0x1' }, '0x10']],
    [
      'what follows the block',
      'eth_call',
      [{ to: '0x1' }, 'latest', { '0x2': {} }],
      [{ to: '0x1' }, '0x64', { '0x2': {} }],
    ],
    [
      'logs at both ends',
      'eth_getLogs',
      [{ fromBlock: 'latest', toBlock: 'latest' }],
      [{ fromBlock: '0x64', toBlock: '0x64' }],
    ],
    [
      'logs without a range',
      'eth_getLogs',
      [{ address: '0x1' }],
      [{ address: '0x1', fromBlock: '0x64', toBlock: '0x64' }],
    ],
    ['pending state, which has no number', 'eth_getBalance', ['0x1', 'pending'], ['0x1', 'pending']],
  ])('name one block for all nodes: %s', async (_what, method, params, asked) => {
    const { ask } = await stage([{ height: 100 }, { height: 100 }, { height: 100 }]);
    expect(resultIn(await ask(method, params))).toEqual({ method, params: asked });
  });

  it('keep large integers as they were sent', async () => {
    const { nodes, gateway } = await stage([{ height: 100 }, { height: 100 }, { height: 100 }]);
    void gateway;
    await gateway.ask(JSON.parse('{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1"}]}'));
    expect(nodes[0]?.asked.at(-1)?.text).toContain('"params":[{"to":"0x1"},"0x64"]');
  });

  it('give no answer that one node made up, and name that node in the log and in the counts', async () => {
    const { gateway, log, ask } = await stage([
      { height: 100, lie: () => '"0xbad"' },
      { height: 100 },
      { height: 100 },
    ]);
    for (let i = 0; i < 20; i++)
      expect(resultIn(await ask('eth_getBalance', [`0x${i}`, 'latest']))).toMatchObject({ params: [`0x${i}`, '0x64'] });
    await expect.poll(() => gateway.backend.agreed?.disagreements).toEqual({ outvoted: 20, unresolved: 0 });
    expect(networkHealthOf(gateway.backend).upstreams.map(({ limits }) => limits.outvoted)).toEqual([20, 0, 0]);
    expect(log.lines('upstreams disagreed')[0]).toMatchObject({
      level: 40,
      network: 'ethereum-mainnet',
      method: 'eth_getBalance',
      block: '0x64',
      outvoted: ['upstream 1'],
    });
  });

  it('are an error where no two agree: who says what, by name, and for 5 credits', async () => {
    const chains = ['0x1', '0x2', '0x3'].map((balance): Chain => ({
      height: 100,
      lie: () => JSON.stringify({ balance, nonce: '0x0' }),
    }));
    const { gateway, log, ask } = await stage(chains);
    const answer = await ask('eth_getBalance', ['0x1', 'latest']);
    expect(answer).toMatchObject({ status: 200, credits: 5, agreement: '1/3' });
    expect(errorIn(answer)).toMatchObject({
      code: -32_090,
      data: { reason: 'disagreement', method: 'eth_getBalance', block: '0x64', about: 'result.balance' },
    });
    expect(errorIn(answer).data.answers).toHaveLength(3);
    expect(errorIn(answer).message).toMatch(
      /2 of 3 must give the same answer to eth_getBalance at block 0x64.*result\.balance.*upstream \d: "0x\d"/,
    );
    expect(answer.text).not.toMatch(/127\.0\.0\.1|http:/);
    await expect.poll(() => gateway.backend.agreed?.disagreements).toEqual({ outvoted: 0, unresolved: 1 });
    expect(log.lines('upstreams disagreed')).toHaveLength(1);
  });

  it('take reverts with one reason for one answer, whatever the words, and a revert and a result for two', async () => {
    const revert = (code: number, message: string, data: string) => (): string =>
      `{"code":${code},"message":"${message}","data":"${data}"}`;
    const same = await stage([
      { height: 100, lie: revert(3, 'execution reverted: No', '0x08C379A0') },
      { height: 100, lie: revert(-32_015, 'VM execution error.', 'Reverted 0x08c379a0') },
      { height: 100, slowMs: 500 },
    ]);
    const reverted = await same.ask('eth_call', [{ to: '0x1' }, 'latest']);
    expect(reverted).toMatchObject({ credits: 5, agreement: '2/3' });
    expect(reverted.text).toMatch(/08c379a0/i);
    const other = await stage([
      { height: 100, lie: revert(3, 'execution reverted', '0x01') },
      { height: 100, lie: revert(3, 'execution reverted', '0x02') },
      { height: 100 },
    ]);
    expect(errorIn(await other.ask('eth_call', [{ to: '0x1' }, 'latest'])).code).toBe(-32_090);
  });

  it('do not wait for a slow node once enough agree', async () => {
    const { ask } = await stage([{ height: 100, slowMs: 1_500 }, { height: 100 }, { height: 100 }]);
    for (let i = 0; i < 3; i++)
      expect((await ask('eth_getBalance', [`0x${i}`, 'latest'])).elapsedMs).toBeLessThan(1_000);
  });

  it('agree without a slow node that can take no more requests', async () => {
    const { ask } = await stage([{ height: 100, slowMs: 1_500 }, { height: 100 }, { height: 100 }], {
      rpc: { connectionsPerUpstream: 4 },
    });
    const answers = [];
    for (let i = 0; i < 60; i++) answers.push(await ask('eth_getBalance', [`0x${i}`, 'latest']));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('have another node in the place of one that fails', async () => {
    const { nodes, ask } = await stage(
      [{ height: 100 }, { height: 100 }, { height: 100 }, { height: 100, lie: () => '"0xbad"' }],
      { agreement: { nodes: 3, agreeing: 3 } },
    );
    (nodes[0] as ScriptedNode).script = (_asked, response) => void response.writeHead(500).end();
    expect(errorIn(await ask('eth_getBalance', ['0x1', 'latest'])).code).toBe(-32_090);
    (nodes[3] as ScriptedNode).script = scriptOf({ height: 100 });
    expect(await ask('eth_getBalance', ['0x1', 'latest'])).toMatchObject({ status: 200, agreement: '3/3' });
  });

  it('are 500 in time, and free, where fewer nodes answer than must agree', async () => {
    const good = await scriptedNode(scriptOf({ height: 100 }));
    const silent = await scriptedNode(() => undefined);
    const gateway = await rpcGateway(
      [good.url, await refusingUrl(), silent.url],
      { ...RPC, attemptTimeoutMs: 500 },
      undefined,
      { chainIdentity: false, agreement: { methods: METHODS } },
    );
    for (let i = 0; i < 3; i++) {
      const answer = await gateway.ask(call('eth_getBalance', ['0x1', 'latest']));
      expect(answer.status).toBe(500);
      expect(answer.elapsedMs).toBeLessThan(3_000);
      expect(answer.text).toMatch(/upstreams must agree/);
      expect(answer.text).not.toContain(good.url);
    }
    expect(gateway.charges()).toEqual([]);
  });

  it('give the head that two nodes have, so that one cannot make it up', async () => {
    const { ask } = await stage([{ height: 150 }, { height: 101 }, { height: 100 }]);
    expect(await ask('eth_blockNumber')).toMatchObject({
      credits: 60,
      agreement: '2/3',
      text: expect.stringContaining('"0x65"') as string,
    });
  });

  it('give a block to nobody as null that others have, and null where all say so', async () => {
    const { ask } = await stage([{ height: 100 }, { height: 90 }, { height: 100 }]);
    expect(resultIn(await ask('eth_getBlockByNumber', ['0x64', false]))).toMatchObject({ number: '0x64' });
    expect(await ask('eth_getBlockByNumber', ['0xffff', false])).toMatchObject({
      status: 200,
      text: expect.stringContaining('"result":null') as string,
    });
  });

  it('keep what cannot change only once it is agreed, also from before agreement was asked for', async () => {
    const chains: Chain[] = [{ height: 1_000 }, { height: 1_000 }, { height: 1_000 }];
    const { nodes, gateway, ask } = await stage(chains);
    gateway.backend.finalizedHeight = 900;
    const params = ['0x1', '0x10'];
    expect(await ask('eth_getCode', params)).toMatchObject({ agreement: expect.stringMatching(/\/3$/) as string });
    await sleep(100);
    const before = nodes.map((node) => node.count('eth_getCode'));
    expect(await ask('eth_getCode', params)).toMatchObject({ credits: 60, agreement: '2/3' });
    expect(nodes.map((node) => node.count('eth_getCode'))).toEqual(before);
    chains.forEach((chain, i) => (chain.lie = () => `"0x0${i}"`));
    expect(errorIn(await ask('eth_getCode', ['0x2', '0x10'])).code).toBe(-32_090);
    for (const chain of chains) delete chain.lie;
    expect(resultIn(await ask('eth_getCode', ['0x2', '0x10']))).toEqual({
      method: 'eth_getCode',
      params: ['0x2', '0x10'],
    });
  });

  it('are asked once for identical reads at the same time', async () => {
    const { nodes, gateway } = await stage([
      { height: 100, slowMs: 100 },
      { height: 100, slowMs: 100 },
      { height: 100, slowMs: 100 },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => gateway.ask(call('eth_getBalance', ['0x1', '0x10']))),
    );
    expect(answers.map(({ credits }) => credits)).toEqual([60, 60, 60, 60, 60]);
    expect(nodes.map((node) => node.count('eth_getBalance'))).toEqual([1, 1, 1]);
  });

  it('leave other methods as they are', async () => {
    const { ask } = await stage([{ height: 100 }, { height: 100 }, { height: 100 }], {
      agreement: { methods: ['eth_call'] },
    });
    expect(await ask('eth_getBalance', ['0x1', 'latest'])).toMatchObject({ credits: 20, agreement: null });
  });

  it('cost what the operator says', async () => {
    const { ask } = await stage([{ height: 100 }, { height: 100 }, { height: 100 }], {
      agreement: { priceMultiplier: 1 },
    });
    expect(await ask('eth_getBalance', ['0x1', 'latest'])).toMatchObject({ credits: 20 });
  });
});

describe('a batch', LONG, () => {
  it('has its agreed items at one block, the least agreement in its header, and no older block after a newer one', async () => {
    const chains: Chain[] = [{ height: 100 }, { height: 100 }, { height: 100 }];
    const { gateway } = await stage(chains, { agreement: { methods: ['eth_getBalance', 'eth_call'] } });
    const growing = setInterval(() => chains.forEach((chain) => chain.height++), 5);
    const items = [
      call('eth_getBalance', ['0x1', 'latest'], 1),
      call('eth_call', [{ to: '0x1' }, 'latest'], 2),
      call('eth_blockNumber', [], 3),
      call('eth_getBalance', ['0x2', 'latest'], 4),
    ];
    const answer = await gateway.ask(items);
    clearInterval(growing);
    expect(answer).toMatchObject({
      status: 200,
      credits: 60 + 60 + 20 + 60,
      agreement: expect.stringMatching(/^[23]\/3$/) as string,
    });
    const [first, second, head, last] = (JSON.parse(answer.text) as { result: unknown }[]).map(({ result }) =>
      typeof result === 'string' ? Number(result) : Number((result as { params: string[] }).params[1]),
    );
    expect(second).toBe(first);
    expect(head).toBeGreaterThanOrEqual(first as number);
    expect(last).toBeGreaterThanOrEqual(head as number);
  });

  it('has an error for the item alone that nodes disagree on', async () => {
    const lies = ['"0x1"', '"0x2"', '"0x3"'].map((lie): Chain => ({
      height: 100,
      lie: ({ params }) => ((params as string[])[0] === '0xbad' ? lie : undefined),
    }));
    const { gateway } = await stage(lies);
    const answer = await gateway.ask([
      call('eth_getBalance', ['0x1', 'latest'], 1),
      call('eth_getBalance', ['0xbad', 'latest'], 2),
    ]);
    expect(answer).toMatchObject({ status: 200, credits: 65, agreement: '1/3' });
    expect(JSON.parse(answer.text)).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32_090 } },
    ]);
  });
});

describe('a caller who leaves', LONG, () => {
  it('stops all before a node was asked, and is charged nothing', async () => {
    const { nodes, gateway } = await stage([{ height: 100 }, { height: 100 }, { height: 100 }]);
    for (const node of nodes) {
      const { script } = node;
      node.script = async (asked, response) => {
        if (asked.items[0]?.method === 'eth_blockNumber') await sleep(300);
        return script(asked, response);
      };
    }
    const leaving = new AbortController();
    const asked = gateway.ask(call('eth_getBalance', ['0x1', 'latest']), leaving.signal).catch(() => undefined);
    await sleep(100);
    leaving.abort();
    await asked;
    await sleep(1_000);
    expect(nodes.map((node) => node.count('eth_getBalance'))).toEqual([0, 0, 0]);
    expect(gateway.charges()).toEqual([]);
  });

  it('pays for what nodes were asked', async () => {
    const { nodes, gateway } = await stage([
      { height: 100, slowMs: 200 },
      { height: 100, slowMs: 200 },
      { height: 100, slowMs: 200 },
    ]);
    const leaving = new AbortController();
    const asked = gateway.ask(call('eth_getBalance', ['0x1', 'latest']), leaving.signal).catch(() => undefined);
    await expect.poll(() => nodes.some((node) => node.count('eth_getBalance') > 0)).toBe(true);
    leaving.abort();
    await asked;
    await expect.poll(() => gateway.charges(), { timeout: 5_000 }).toEqual([60]);
  });
});
