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

/** `eth_getLogs` over more blocks or logs than the nodes return in one answer. */

const RPC = { hedging: { share: 0 }, timeoutMs: 5_000, retryShare: 0 };
const LONG = { timeout: 60_000 };
const HEAD = 100_000;
const hex = (height: number): string => `0x${height.toString(16)}`;
const call = (method: string, params: unknown[], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const logsCall = (from: unknown, to: unknown, id: unknown = 1) =>
  call(
    'eth_getLogs',
    [
      {
        address: '0x1',
        fromBlock: typeof from === 'number' ? hex(from) : from,
        ...(to === undefined ? {} : { toBlock: typeof to === 'number' ? hex(to) : to }),
      },
    ],
    id,
  );

/** A node with one log in every block whose number is a multiple of `every`. */
interface Node {
  head: number;
  every: number;
  /** Fork of the blocks. A reorganization changes it. */
  fork: number;
  /** Returns the node's error for a range; null if it serves the range. */
  refuses: (from: number, to: number, logs: number) => { code: number; message: string; status?: number } | null;
  delayMs: number;
}

const hashOf = (height: number, fork: number): string =>
  `0x${fork.toString(16).padStart(8, '0')}${height.toString(16).padStart(56, '0')}`;
const logAt = (height: number, fork = 0): object => ({
  blockNumber: hex(height),
  blockHash: hashOf(height, fork),
  logIndex: '0x0',
  data: '0x',
});

function logsIn({ every, head, fork }: Node, from: number, to: number): object[] {
  const logs: object[] = [];
  for (let height = Math.ceil(from / every) * every; height <= Math.min(to, head); height += every)
    logs.push(logAt(height, fork));
  return logs;
}

function answerOf(node: Node, item: AskedItem): { text: string; status: number } {
  const [first] = item.params as [{ fromBlock?: string; toBlock?: string } | string | undefined];
  const ofResult = (result: unknown) => ({ text: resultOf(item, JSON.stringify(result)), status: 200 });
  if (item.method === 'eth_blockNumber') return ofResult(hex(node.head));
  if (item.method === 'eth_getBlockByNumber') {
    const number = first === 'finalized' ? node.head - 1_000 : first === 'safe' ? node.head - 500 : Number(first);
    return ofResult(number <= node.head ? { number: hex(number), hash: hashOf(number, node.fork) } : null);
  }
  const { fromBlock, toBlock = 'latest' } = first as { fromBlock: string; toBlock?: string };
  const from = fromBlock === 'earliest' ? 0 : Number(fromBlock);
  const to = toBlock === 'latest' ? node.head : toBlock === 'finalized' ? node.head - 1_000 : Number(toBlock);
  const logs = logsIn(node, from, to);
  const refusal = node.refuses(from, to, logs.length);
  return refusal
    ? { text: errorOf(item, refusal.code, refusal.message), status: refusal.status ?? 200 }
    : ofResult(logs);
}

const scriptOf =
  (node: Node): NodeScript =>
  async ({ batch, items }, response) => {
    if (node.delayMs > 0) await sleep(node.delayMs);
    const answers = items.map((item) => answerOf(node, item));
    response.statusCode = answers.find(({ status }) => status !== 200)?.status ?? 200;
    return batch ? `[${answers.map(({ text }) => text).join(',')}]` : answers[0]?.text;
  };

type Refusal = ReturnType<Node['refuses']>;
const limitedTo =
  (blocks: number, message = `exceed maximum block range: ${blocks}`, code = -32_000, status = 200) =>
  (from: number, to: number): Refusal =>
    to - from >= blocks ? { code, message, status } : null;

interface Stage {
  gateway: RpcGateway;
  chains: Node[];
  nodes: ScriptedNode[];
  /** Returns the widths of the ranges that a node was asked for, in blocks. */
  spans: (index?: number) => number[];
}

async function stageOf(nodes: Partial<Node>[], rpc: object = {}): Promise<Stage> {
  const chains = nodes.map((node): Node => ({
    head: HEAD,
    every: 100,
    fork: 0,
    refuses: () => null,
    delayMs: 0,
    ...node,
  }));
  const scripted = await Promise.all(chains.map((node) => scriptedNode(scriptOf(node))));
  const gateway = await rpcGateway(
    scripted.map(({ url }) => url),
    { ...RPC, ...rpc },
  );
  const spans = (index = 0): number[] =>
    (scripted[index]?.asked ?? [])
      .flatMap(({ items }) => items)
      .flatMap(({ method, params }) => {
        const [{ fromBlock = '', toBlock = '' } = {}] = params as [{ fromBlock?: string; toBlock?: string }?];
        return method === 'eth_getLogs' ? Number(toBlock) - Number(fromBlock) + 1 : [];
      });
  return { gateway, chains, nodes: scripted, spans };
}

const resultIn = ({ text }: { text: string }): unknown => (JSON.parse(text) as { result?: unknown }).result;
const allIn = (stage: Stage, from: number, to: number): object[] => logsIn(stage.chains[0] as Node, from, to);

const TEXTS: [code: number, status: number, message: string][] = [
  [-32_000, 200, 'exceed maximum block range: 2000'],
  [-32_000, 200, 'block range is too wide'],
  [
    -32_600,
    400,
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 2000 block range. Based on your parameters, this block range should work: [0x1, 0x7d0].',
  ],
  [-32_602, 400, 'block range is too wide (maximum 2000)'],
  [-32_602, 200, 'query exceeds max block range 2000'],
  [-32_614, 413, 'eth_getLogs is limited to a 2,000 range'],
  [-32_005, 200, 'Requested range exceeds maximum RPC range limit'],
  [-32_005, 400, 'block range limit exceeded: at most 2k blocks'],
  [35, 400, 'ranges over 2000 blocks are not supported on freetier'],
  [-32_062, 200, 'Block range is too large'],
  [-32_047, 200, "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 2000"],
  [-32_000, 200, 'requested too many blocks from 1 to 20000, maximum is set to 2000'],
  [-32_000, 200, 'block range too large (20000), maximum allowed is 2000 blocks'],
  [-32_602, 200, 'please limit the query to at most 2000 blocks'],
  [-32_000, 200, 'Maximum allowed number of requested blocks is 2000'],
  [-32_602, 200, 'eth_getLogs block range greater than 2000 max'],
  [-32_000, 200, 'GetLogs query must be smaller than size 2048'],
  [-32_602, 413, 'payload too large'],
];

describe('a range that is wider than the only node serves', LONG, () => {
  it.each(TEXTS)('%i with status %i: %s', async (code, status, message) => {
    const stage = await stageOf([{ refuses: limitedTo(2_000, message, code, status) }]);
    const answer = await stage.gateway.ask(logsCall(1, 20_000));
    expect(resultIn(answer)).toEqual(allIn(stage, 1, 20_000));
    expect(stage.gateway.charges()).toEqual([20]);
    // The gateway knows the limit now.
    const before = stage.spans().length;
    expect(resultIn(await stage.gateway.ask(logsCall(20_001, 30_000)))).toEqual(allIn(stage, 20_001, 30_000));
    expect(
      stage
        .spans()
        .slice(before)
        .filter((blocks) => blocks > 2_000).length,
    ).toBeLessThanOrEqual(4);
  });

  it('is read in parts up to its stated limit, at most four at a time', async () => {
    let [atOnce, most] = [0, 0];
    const stage = await stageOf([{ refuses: limitedTo(2_000), delayMs: 10 }]);
    const script = stage.nodes[0]!.script;
    stage.nodes[0]!.script = async (asked, response) => {
      most = Math.max(most, ++atOnce);
      const body = await script(asked, response);
      atOnce--;
      return body;
    };
    expect(resultIn(await stage.gateway.ask(logsCall(1, 30_000)))).toEqual(allIn(stage, 1, 30_000));
    expect(stage.spans()).toEqual([30_000, ...Array.from({ length: 15 }, () => 2_000)]);
    expect(most).toBe(4);
  });

  it.each(['latest', undefined, 'finalized'])('ends at %s', async (to) => {
    const stage = await stageOf([{ refuses: limitedTo(2_000) }]);
    const end = to === 'finalized' ? HEAD - 1_000 : HEAD;
    for (let i = 0; i < 2; i++)
      expect(resultIn(await stage.gateway.ask(logsCall(HEAD - 9_000 - i, to)))).toEqual(
        allIn(stage, HEAD - 9_000 - i, end),
      );
    expect(stage.gateway.charges()).toEqual([20, 20]);
  });

  it('ends beyond the head: no part is asked for what is far from there yet', async () => {
    const stage = await stageOf([{ refuses: limitedTo(2_000) }]);
    expect(resultIn(await stage.gateway.ask(logsCall(HEAD - 5_000, HEAD + 90_000)))).toEqual(
      allIn(stage, HEAD - 5_000, HEAD),
    );
    expect(stage.spans().length).toBeLessThan(6);
  });

  it('and needs more parts than one call may have: the node’s own error, as before', async () => {
    const stage = await stageOf([{ refuses: limitedTo(10) }]);
    for (let i = 0; i < 2; i++)
      expect(JSON.parse((await stage.gateway.ask(logsCall(1, 50_000 + i))).text)).toMatchObject({
        error: { code: -32_000, message: 'exceed maximum block range: 10' },
      });
    expect(stage.gateway.charges()).toEqual([5, 5]);
    expect(stage.spans()).toHaveLength(2);
  });

  it('and serves less than before: no more requests than one call may make, and the node’s own error', async () => {
    const stage = await stageOf([{ refuses: limitedTo(1_000) }]);
    await stage.gateway.ask(logsCall(1, 10_000));
    stage.chains[0]!.refuses = limitedTo(64);
    const before = stage.spans().length;
    const answer = await stage.gateway.ask(logsCall(1, 60_000));
    expect(stage.spans().length - before).toBeLessThanOrEqual(128);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { message: 'exceed maximum block range: 64' } });
  });
});

describe('more logs than a node answers', LONG, () => {
  it.each<[code: number, message: string]>([
    [-32_005, 'query returned more than 10000 results'],
    [
      -32_602,
      'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x1, 0x1f4]',
    ],
    [-32_000, 'query exceeds max results 20000, retry with the range 1-500'],
    [-32_008, 'Response is too big'],
  ])('are read in halves, or as the node suggests: %i %s', async (code, message) => {
    const stage = await stageOf([{ refuses: (_from, _to, logs) => (logs > 10 ? { code, message } : null) }]);
    expect(resultIn(await stage.gateway.ask(logsCall(1, 8_000)))).toEqual(allIn(stage, 1, 8_000));
    expect(stage.gateway.charges()).toEqual([20]);
    expect(stage.gateway.backend.pool.nodes[0]?.capabilities?.rangeBlocksMax(performance.now()) ?? null).toBeNull();
  });

  it('in one block: the node’s error', async () => {
    const stage = await stageOf([
      {
        refuses: (from, to) =>
          from <= 777 && to >= 777 ? { code: -32_005, message: 'query returned more than 10000 results' } : null,
      },
    ]);
    const answer = await stage.gateway.ask(logsCall(1, 2_000));
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32_005 } });
    expect(stage.gateway.charges()).toEqual([5]);
  });

  it('than the gateway passes on, in all parts together: a failure, at no charge', async () => {
    const stage = await stageOf([{ every: 1, refuses: limitedTo(100) }], { answerBytesMax: 65_536 });
    const answer = await stage.gateway.ask(logsCall(1, 4_000));
    expect(answer.status).toBe(500);
    expect(stage.gateway.charges()).toEqual([]);
  });
});

describe('nodes of different limits', LONG, () => {
  it('the widest decides, and the others are not asked', async () => {
    const stage = await stageOf([{ refuses: limitedTo(500) }, { refuses: limitedTo(5_000) }]);
    expect(resultIn(await stage.gateway.ask(logsCall(1, 20_000)))).toEqual(allIn(stage, 1, 20_000));
    expect(stage.spans(0)).toEqual([20_000]);
    expect(stage.spans(1)).toEqual([20_000, 5_000, 5_000, 5_000, 5_000]);
    expect(resultIn(await stage.gateway.ask(logsCall(2, 20_000)))).toEqual(allIn(stage, 2, 20_000));
    expect([stage.spans(0).length, stage.spans(1).length]).toEqual([1, 9]);
  });

  it('one without a limit is asked for all of it', async () => {
    const stage = await stageOf([{ refuses: limitedTo(500) }, {}]);
    for (let i = 0; i < 3; i++)
      expect(resultIn(await stage.gateway.ask(logsCall(1 + i, 20_000)))).toEqual(allIn(stage, 1 + i, 20_000));
    expect(stage.spans(0).length).toBeLessThanOrEqual(1);
  });

  it('where the widest is down, the other serves in its own parts', async () => {
    const stage = await stageOf([{ refuses: limitedTo(500) }, { refuses: limitedTo(5_000) }], { retryShare: 1 });
    for (let i = 0; i < 10; i++) await stage.gateway.ask(logsCall(1 + i, 20_000));
    stage.nodes[1]!.script = (_asked, response) => void response.destroy();
    expect(resultIn(await stage.gateway.ask(logsCall(3, 6_000)))).toEqual(allIn(stage, 3, 6_000));
  });

  it('an error of another kind from one does not hide the limit of the other', async () => {
    const stage = await stageOf([
      { refuses: limitedTo(2_000), delayMs: 0 },
      { refuses: () => ({ code: -32_000, message: 'pruned history unavailable' }) },
    ]);
    for (let i = 0; i < 3; i++)
      expect(resultIn(await stage.gateway.ask(logsCall(1 + i, 9_000)))).toEqual(allIn(stage, 1 + i, 9_000));
  });
});

describe('the answer to a range that was read in parts', LONG, () => {
  it('has no log twice where a node answers for more blocks than it was asked for', async () => {
    const stage = await stageOf([{ refuses: limitedTo(1_000) }]);
    const script = stage.nodes[0]!.script;
    stage.nodes[0]!.script = (asked, response) => {
      const [item] = asked.items as [AskedItem];
      const [{ fromBlock, toBlock } = {}] = item.params as [{ fromBlock?: string; toBlock?: string }?];
      const wide = item.method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) < 1_000;
      return wide
        ? resultOf(
            item,
            JSON.stringify(logsIn(stage.chains[0] as Node, Number(fromBlock) - 300, Number(toBlock) + 300)),
          )
        : script(asked, response);
    };
    expect(resultIn(await stage.gateway.ask(logsCall(1_000, 7_999)))).toEqual(allIn(stage, 1_000, 7_999));
  });

  it('is an error without a charge if one part fails', async () => {
    const stage = await stageOf([{ refuses: limitedTo(1_000) }]);
    const script = stage.nodes[0]!.script;
    stage.nodes[0]!.script = (asked, response) => {
      if (asked.text.includes(`"toBlock":"${hex(3_000)}"`)) return void response.destroy();
      return script(asked, response);
    };
    const answer = await stage.gateway.ask(logsCall(1, 8_000));
    expect(answer.status).toBe(500);
    expect(stage.gateway.charges()).toEqual([]);
  });

  it('is the error of a part, where no node has the old blocks', async () => {
    const stage = await stageOf([
      {
        refuses: (from, to) =>
          limitedTo(1_000)(from, to) ?? (from < 4_000 ? { code: 4_444, message: 'pruned history unavailable' } : null),
      },
    ]);
    expect(JSON.parse((await stage.gateway.ask(logsCall(1, 8_000))).text)).toMatchObject({ error: { code: 4_444 } });
    expect(stage.gateway.charges()).toEqual([5]);
  });

  it('is of one chain, where a reorganization comes in between', async () => {
    const stage = await stageOf([
      { every: 1, refuses: limitedTo(10) },
      { every: 1, refuses: limitedTo(10) },
    ]);
    await stage.gateway.ask(logsCall(HEAD - 70, HEAD - 50));
    for (const [i, chain] of stage.chains.entries()) {
      const script = stage.nodes[i]!.script;
      let parts = 0;
      stage.nodes[i]!.script = (asked, response) => {
        const body = script(asked, response);
        if (asked.items[0]?.method === 'eth_getLogs' && ++parts === 2) chain.fork = 1;
        return body;
      };
    }
    const answer = resultIn(await stage.gateway.ask(logsCall(HEAD - 39, HEAD))) as { blockHash: string }[];
    expect(answer).toHaveLength(40);
    expect(new Set(answer.map(({ blockHash }) => blockHash.slice(0, 10))).size).toBe(1);
  });

  it('and in a batch each item is whole, in its place, and charged once', async () => {
    for (const nodes of [
      [{ refuses: limitedTo(2_000) }],
      [{ refuses: limitedTo(2_000) }, { refuses: limitedTo(1_000) }],
    ]) {
      const stage = await stageOf(nodes);
      for (let i = 0; i < 2; i++) {
        const answer = await stage.gateway.ask([
          call('eth_blockNumber', [], 7),
          logsCall(1 + i, 9_000, 8),
          logsCall(1, 1_000, 9),
          logsCall(4, 5_000, 10),
        ]);
        expect(
          (JSON.parse(answer.text) as { id: number; result: unknown }[]).map(({ id, result }) => [id, result]),
        ).toEqual([
          [7, hex(HEAD)],
          [8, allIn(stage, 1 + i, 9_000)],
          [9, allIn(stage, 1, 1_000)],
          [10, allIn(stage, 4, 5_000)],
        ]);
      }
      expect(stage.gateway.charges()).toEqual([80, 80]);
    }
  });

  it('a batch of many has no more parts than one call', async () => {
    const stage = await stageOf([{ refuses: limitedTo(100) }]);
    await stage.gateway.ask(logsCall(1, 1_000));
    const before = stage.spans().length;
    await stage.gateway.ask(Array.from({ length: 50 }, (_none, id) => logsCall(1 + id, 6_000, id)));
    expect(stage.spans().length - before).toBeLessThan(200);
  });
});

describe('a caller who leaves', LONG, () => {
  it('ends the reading: no part is begun after that, and what was asked is charged as an error', async () => {
    const stage = await stageOf([{ refuses: limitedTo(100), delayMs: 20 }]);
    const leaving = new AbortController();
    const asked = stage.gateway.ask(logsCall(1, 6_000), leaving.signal).catch(() => undefined);
    for (let i = 0; i < 200 && stage.spans().length < 6; i++) await sleep(5);
    leaving.abort();
    await asked;
    await sleep(100);
    const parts = stage.spans().length;
    expect(parts).toBeLessThan(30);
    await sleep(200);
    expect(stage.spans().length).toBe(parts);
    expect(stage.gateway.charges()).toEqual([5]);
  });
});
