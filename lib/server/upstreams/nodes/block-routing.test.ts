import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import {
  type AskedItem,
  errorOf,
  type NodeScript,
  refusingUrl,
  resultOf,
  scriptedNode,
  type ScriptedNode,
} from '@/test/scripted-node';
import type { Backend } from './backend';
import { HeadMark } from './caller-marks';
import type { ItemAnswer } from './node-request';

/** Without hedges and health checks, heads alone decide which node is asked. */
const RPC = { hedging: { share: 0 }, retryShare: 1 };
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const BLOCK_NUMBER = call('eth_blockNumber');
const hex = (height: number): string => `"0x${height.toString(16)}"`;

/** A node whose head may rise and fall. */
interface Chain {
  height: number;
  /** Reported head as JSON, in place of the real one. */
  says?: string;
}

function resultFrom(chain: Chain, { method, params }: AskedItem): string {
  if (method === 'eth_blockNumber') return chain.says ?? hex(chain.height);
  if (method === 'eth_getBlockByNumber')
    return (params as unknown[])[0] === 'latest' ? (chain.says ?? `{"number":${hex(chain.height)}}`) : 'null';
  return hex(chain.height);
}

const scriptOf =
  (chain: Chain): NodeScript =>
  ({ batch, items }) => {
    const answers = items.map((item) => resultOf(item, resultFrom(chain, item)));
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };

interface Stage {
  gateway: RpcGateway;
  chains: Chain[];
  nodes: ScriptedNode[];
}

/** Starts a gateway over nodes at these heights. It knows no heads yet and asks the first node first. */
async function stageOf(heights: readonly number[], rpc: object = {}): Promise<Stage> {
  const chains = heights.map((height): Chain => ({ height }));
  const nodes = await Promise.all(chains.map((chain) => scriptedNode(scriptOf(chain))));
  const gateway = await rpcGateway(
    nodes.map(({ url }) => url),
    { ...RPC, ...rpc },
  );
  return { gateway, chains, nodes };
}

const resultIn = ({ text }: { text: string }): unknown => (JSON.parse(text) as { result: unknown }).result;
const heightIn = (answer: { text: string }): number => Number(resultIn(answer));
const headOf = async ({ gateway }: Stage): Promise<number> => heightIn(await gateway.ask(BLOCK_NUMBER));
const passedOver = ({ gateway }: Stage): number | undefined => gateway.backend.heads?.passedOver;
const questions = ({ nodes }: Stage): number[] => nodes.map(({ asked }) => asked.length);
/** Returns the newest head that the gateway has reported to its caller, account 1. */
const marked = ({ gateway }: Stage): number | undefined =>
  gateway.backend.heads?.marks.of(1).heightAt(0, performance.now());
const forget = ({ nodes }: Stage): void => nodes.forEach(({ asked }) => (asked.length = 0));

describe('a caller who was told of a block', () => {
  it('is not told of an older one: an answer that is older is passed over, at the operator’s cost', async () => {
    const stage = await stageOf([100, 97]);
    const heads: number[] = [];
    const startedAt = performance.now();
    for (let i = 0; i < 20; i++) heads.push(await headOf(stage));
    const seconds = Math.floor((performance.now() - startedAt) / 1_000);
    expect(heads).toEqual(Array.from({ length: 20 }, () => 100));
    // The second node was tried because its head was unknown. Then it was known to be behind and tried at most once a
    // second.
    const [first, second = 0] = questions(stage);
    expect(first).toBe(20);
    expect(second).toBeGreaterThanOrEqual(1);
    expect(second).toBeLessThanOrEqual(1 + seconds);
    expect(passedOver(stage)).toBe(second);
    expect(stage.gateway.charges()).toEqual(Array.from({ length: 20 }, () => 20));
  });

  it('has what does not say its block from upstreams that are known to have that block', async () => {
    const stage = await stageOf([100, 97]);
    await headOf(stage);
    const reads = [
      call('eth_getBalance', ['0x1', 'latest']),
      call('eth_getTransactionCount', ['0x1', 'pending']),
      call('eth_call', [{ to: '0x1' }]),
      call('eth_getCode', ['0x1', 'latest']),
    ];
    for (const read of reads) expect(heightIn(await stage.gateway.ask(read)), read.method).toBe(100);
    expect(questions(stage)).toEqual([5, 0]);
  });

  it('is answered by all again once they are known to have caught up', async () => {
    const stage = await stageOf([100, 97]);
    await headOf(stage);
    await headOf(stage);
    (stage.chains[1] as Chain).height = 100;
    expect(questions(stage)).toEqual([2, 1]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    // The faster of two able nodes is asked. This delay makes the other node the faster one.
    (stage.nodes[0] as ScriptedNode).script = async (asked, response) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return scriptOf(stage.chains[0] as Chain)(asked, response) as string;
    };
    for (let i = 0; i < 6; i++) expect(await headOf(stage)).toBe(100);
    expect(questions(stage)[1]).toBeGreaterThan(2);
    expect(passedOver(stage)).toBe(1);
  });

  it('may have reads of named blocks from any upstream', async () => {
    const stage = await stageOf([100, 97]);
    await headOf(stage);
    await stage.gateway.ask(call('eth_getBalance', ['0x1', '0x10']));
    await stage.gateway.ask(call('eth_getBalance', ['0x2', '0x10']));
    expect(questions(stage)).toEqual([2, 1]);
  });

  it('is told of newer ones as they come', async () => {
    const stage = await stageOf([100, 100]);
    let last = 0;
    for (let i = 0; i < 60; i++) {
      (stage.chains[i % 2] as Chain).height += 2;
      const head = await headOf(stage);
      expect(head).toBeGreaterThanOrEqual(last);
      last = head;
    }
    expect(last).toBeGreaterThan(120);
  });
});

describe('where no upstream that may be asked has the block', () => {
  it('the newest there is answers, without waiting, and is what counts from then on', async () => {
    const stage = await stageOf([100, 95, 97]);
    for (let i = 0; i < 4; i++) await headOf(stage);
    stage.nodes[0]!.script = (_asked, response) => void response.writeHead(429, { 'retry-after': '60' }).end();
    const startedAt = performance.now();
    expect(await headOf(stage)).toBe(97);
    expect(heightIn(await stage.gateway.ask(call('eth_getBalance', ['0x1', 'latest'])))).toBe(97);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    forget(stage);
    for (let i = 0; i < 5; i++) expect(await headOf(stage)).toBe(97);
    expect(questions(stage)).toEqual([0, 0, 5]);
  });

  it('the others say first how far they are, when nothing was known of them', async () => {
    const stage = await stageOf([100, 98, 99]);
    await headOf(stage);
    stage.nodes[0]!.script = (_asked, response) => void response.writeHead(429, { 'retry-after': '60' }).end();
    const balance = heightIn(await stage.gateway.ask(call('eth_getBalance', ['0x1', 'latest'])));
    expect(balance).toBe(99);
    expect(stage.nodes[1]?.count('eth_getBalance')).toBe(0);
  });

  it('no call waits long for a silent upstream, and no upstream is called without need', async () => {
    const stage = await stageOf([100, 97], { hedging: { minDelayMs: 20, maxDelayMs: 20, share: 1 } });
    for (let i = 0; i < 2; i++) expect(await headOf(stage)).toBe(100);
    stage.nodes[0]!.script = () => undefined;
    const answer = await stage.gateway.ask(BLOCK_NUMBER);
    expect([answer.status, heightIn(answer), answer.credits]).toEqual([200, 97, 20]);
    expect(answer.elapsedMs).toBeLessThan(4_000);
  });

  it('a chain that went back by two blocks is followed, at once', async () => {
    const stage = await stageOf([100, 100]);
    for (let i = 0; i < 3; i++) await headOf(stage);
    for (const chain of stage.chains) chain.height = 98;
    const answer = await stage.gateway.ask(BLOCK_NUMBER);
    expect(heightIn(answer)).toBe(98);
    expect(answer.elapsedMs).toBeLessThan(3_000);
    forget(stage);
    for (let i = 0; i < 5; i++) expect(await headOf(stage)).toBe(98);
    expect(questions(stage).reduce((sum, count) => sum + count)).toBe(5);
  });

  it('one that went back alone is passed over', async () => {
    const stage = await stageOf([100, 100]);
    for (let i = 0; i < 3; i++) await headOf(stage);
    stage.chains[0]!.height = 98;
    for (let i = 0; i < 5; i++) expect(await headOf(stage)).toBe(100);
  });

  it('one that is down is none: its peer answers', async () => {
    const [chain, url] = [{ height: 97 }, await refusingUrl()];
    const node = await scriptedNode(scriptOf(chain));
    const gateway = await rpcGateway([url, node.url], RPC);
    gateway.backend.heads?.marks.of(1).set(0, 100, performance.now());
    expect(heightIn(await gateway.ask(BLOCK_NUMBER))).toBe(97);
  });
});

describe('what an upstream says of its head', () => {
  it.each([
    ['null', 'null'],
    ['garbage', '"latest"'],
    ['a negative number', '-5'],
    ['2^60', '"0x1000000000000000"'],
    ['2^256 - 1', `"0x${'f'.repeat(64)}"`],
    ['an object', '{"number":null}'],
    ['an empty text', '""'],
  ])('is passed over where it is %s and its caller was told of a block', async (_what, says) => {
    for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) {
      const stage = await stageOf([100, 100]);
      stage.chains[1]!.says = says;
      const read = call(method, method === 'eth_blockNumber' ? [] : ['latest', false]);
      const sound = method === 'eth_blockNumber' ? '0x64' : { number: '0x64' };
      for (let i = 0; i < 6; i++) expect(resultIn(await stage.gateway.ask(read))).toEqual(sound);
      expect(stage.gateway.charges()).toEqual([20, 20, 20, 20, 20, 20]);
    }
  });

  it('is passed on as it is where there is nothing better', async () => {
    const stage = await stageOf([100, 100]);
    await headOf(stage);
    for (const chain of stage.chains) chain.says = 'null';
    for (let i = 0; i < 3; i++) expect(resultIn(await stage.gateway.ask(BLOCK_NUMBER))).toBeNull();
  });

  it('is an answer where it is an error', async () => {
    const stage = await stageOf([100, 97]);
    await headOf(stage);
    stage.nodes[1]!.script = ({ items: [item] }) => errorOf(item!, -32000, 'execution reverted');
    stage.nodes[0]!.script = ({ items: [item] }) => errorOf(item!, -32000, 'execution reverted');
    const answer = await stage.gateway.ask(BLOCK_NUMBER);
    expect([answer.status, answer.credits, JSON.parse(answer.text) as unknown]).toMatchObject([
      200,
      5,
      { error: { code: -32000 } },
    ]);
  });

  it('is passed over where it is absurd and two others say otherwise, and its balances are nobody’s', async () => {
    const stage = await stageOf([100, 100, 2 ** 52]);
    const heads: number[] = [];
    for (let i = 0; i < 12; i++) heads.push(await headOf(stage));
    expect(new Set(heads)).toEqual(new Set([100]));
    expect([marked(stage), passedOver(stage)]).toEqual([100, 1]);
    for (let i = 0; i < 6; i++)
      expect(heightIn(await stage.gateway.ask(call('eth_getBalance', [`0x${i}`, 'latest'])))).toBe(100);
    stage.nodes[2]!.script = (_asked, response) => void response.writeHead(500).end();
    for (let i = 0; i < 8; i++) {
      const answer = await stage.gateway.ask(BLOCK_NUMBER);
      expect([answer.status, heightIn(answer)]).toEqual([200, 100]);
      expect(answer.elapsedMs).toBeLessThan(3_000);
    }
  });

  it('binds nobody where it was absurd and nobody else was known yet', async () => {
    const stage = await stageOf([2 ** 52, 100, 101]);
    expect([await headOf(stage), marked(stage)]).toEqual([2 ** 52, 2 ** 52]);
    stage.nodes[0]!.script = (_asked, response) => void response.writeHead(429, { 'retry-after': '60' }).end();
    const heads: number[] = [];
    for (let i = 0; i < 6; i++) heads.push(await headOf(stage));
    expect(new Set(heads)).toEqual(new Set([101]));
    expect(marked(stage)).toBe(101);
    const startedAt = performance.now();
    expect(heightIn(await stage.gateway.ask(call('eth_getBalance', ['0x1', 'latest'])))).toBe(101);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('two upstreams that contradict each other', () => {
  it('hold nobody to either: each call is answered', async () => {
    const stage = await stageOf([100, 2 ** 52]);
    for (let i = 0; i < 8; i++) {
      const answer = await stage.gateway.ask(BLOCK_NUMBER);
      expect([answer.status, answer.credits, [100, 2 ** 52].includes(heightIn(answer))]).toEqual([200, 20, true]);
      expect(answer.elapsedMs).toBeLessThan(3_000);
    }
    expect(marked(stage)).toBe(100);
  });
});

describe('other reads that tell a block', () => {
  it('a receipt holds the reads after it to its block', async () => {
    const stage = await stageOf([100, 97]);
    stage.nodes[0]!.script = ({ items: [asked] }) =>
      resultOf(
        asked!,
        asked!.method === 'eth_getTransactionReceipt' ? `{"blockHash":"0x1","blockNumber":${hex(100)}}` : hex(100),
      );
    await stage.gateway.ask(call('eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`]));
    for (let i = 0; i < 3; i++)
      expect(heightIn(await stage.gateway.ask(call('eth_getBalance', [`0x${i}`, 'latest'])))).toBe(100);
    // This answer is older. It does not lower the caller's head and is not discarded.
    stage.nodes[0]!.script = ({ items: [asked] }) => resultOf(asked!, `{"blockHash":"0x1","blockNumber":${hex(5)}}`);
    await stage.gateway.ask(call('eth_getTransactionReceipt', [`0x${'cd'.repeat(32)}`]));
    expect([marked(stage), passedOver(stage)]).toEqual([100, 0]);
  });

  it('slots of Solana are held to those of their commitment', async () => {
    const slots = [
      { finalized: 100, processed: 132 },
      { finalized: 97, processed: 133 },
    ];
    const nodes = await Promise.all(
      slots.map((of) =>
        scriptedNode(({ items: [asked] }) => {
          const slot = JSON.stringify(asked!.params).includes('processed') ? of.processed : of.finalized;
          return resultOf(asked!, asked!.method === 'getSlot' ? `${slot}` : `{"context":{"slot":${slot}},"value":1}`);
        }),
      ),
    );
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
      'solana-mainnet',
    );
    const slotOf = async (commitment: string): Promise<number> =>
      (resultIn(await gateway.ask(call('getBalance', ['a', { commitment }]))) as { context: { slot: number } }).context
        .slot;
    const told: Record<'processed' | 'finalized', number[]> = { processed: [], finalized: [] };
    for (let i = 0; i < 4; i++) {
      told.processed.push(await slotOf('processed'));
      told.finalized.push(await slotOf('finalized'));
    }
    // The faster upstream answers. Neither commitment ever goes back. Finalized slots are older than processed ones but
    // are not discarded.
    for (const of of Object.values(told)) expect(of).toEqual([...of].sort((a, b) => a - b));
    expect(gateway.backend.heads?.passedOver).toBe(0);
  });

  it('blocks of Starknet too', async () => {
    const nodes = await Promise.all(
      [100, 97].map((height) => scriptedNode(({ items: [asked] }) => resultOf(asked!, `${height}`))),
    );
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
      'starknet-mainnet',
    );
    for (let i = 0; i < 4; i++) expect(resultIn(await gateway.ask(call('starknet_blockNumber')))).toBe(100);
    expect(resultIn(await gateway.ask(call('starknet_getNonce', ['latest', '0x1'])))).toBe(100);
  });
});

describe('calls at the same time', () => {
  it('of one caller never go back: what begins after an answer is not older than it', async () => {
    const stage = await stageOf([100, 100], { hedging: { minDelayMs: 10, maxDelayMs: 20, share: 1 } });
    const { gateway, chains, nodes } = stage;
    nodes.forEach((node, i) => {
      node.script = async (asked, response) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
        return scriptOf(chains[i] as Chain)(asked, response) as string;
      };
    });
    const timer = setInterval(() => {
      const chain = chains[Math.floor(Math.random() * 2)] as Chain;
      chain.height = Math.min(chain.height + 1, Math.min(...chains.map(({ height }) => height)) + 3);
    }, 7);
    try {
      let told = 0;
      const reader = async (which: number): Promise<void> => {
        for (let i = 0; i < 25; i++) {
          const before = told;
          const read = (which + i) % 3 === 0 ? call('eth_getBlockByNumber', ['latest', false]) : BLOCK_NUMBER;
          const result = resultIn(await gateway.ask(read));
          const height = Number(typeof result === 'string' ? result : (result as { number: string }).number);
          expect(height).toBeGreaterThanOrEqual(before);
          told = Math.max(told, height);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_none, which) => reader(which)));
      expect(told).toBeGreaterThan(100);
    } finally {
      clearInterval(timer);
    }
    expect(gateway.charges()).toHaveLength(200);
  });
});

const item = (method: string, params: unknown[] = []) => ({
  method,
  params: JSON.stringify(params),
  paramsByName: false,
  id: '1',
});
const told = ({ bytes, start, end }: ItemAnswer): number => Number(JSON.parse(bytes.toString('utf8', start, end)));
const readFor = async (
  backend: Backend,
  mark: HeadMark | undefined,
  method = 'eth_blockNumber',
  params: unknown[] = [],
): Promise<number> => told(await backend.read(item(method, params), { mark }));

describe('what one caller was told', () => {
  it('binds no other', async () => {
    const { gateway, nodes } = await stageOf([100, 97]);
    const [one, two] = [new HeadMark(), new HeadMark()];
    expect(await readFor(gateway.backend, one)).toBe(100);
    // The second upstream answers, because it was never asked before.
    expect(await readFor(gateway.backend, two)).toBe(97);
    expect(await readFor(gateway.backend, one)).toBe(100);
    expect([one.heightAt(0, performance.now()), two.heightAt(0, performance.now())]).toEqual([100, 97]);
    expect(nodes[1]?.asked).toHaveLength(1);
  });

  it('keeps them from an identical read on its way to an upstream that is behind', async () => {
    const { gateway, nodes, chains } = await stageOf([100, 97]);
    const mark = new HeadMark();
    await readFor(gateway.backend, mark);
    nodes[1]!.script = async (asked, response) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return scriptOf(chains[1] as Chain)(asked, response) as string;
    };
    const read = ['eth_getBalance', ['0x1', 'latest']] as const;
    await readFor(gateway.backend, undefined, read[0], ['0x2', 'latest']);
    const other = readFor(gateway.backend, undefined, read[0], [...read[1]]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await readFor(gateway.backend, mark, read[0], [...read[1]])).toBe(100);
    expect(await other).toBe(97);
  });

  it('counts for five minutes and no longer', async () => {
    const { gateway, nodes } = await stageOf([100, 97]);
    const mark = new HeadMark();
    mark.set(0, 200, performance.now() - 300_001);
    await readFor(gateway.backend, mark);
    expect(await readFor(gateway.backend, mark, 'eth_getBalance', ['0x1', 'latest'])).toBe(100);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([2, 0]);
  });
});

describe('a slow upstream', () => {
  it('is helped by one that says that it has the block too', async () => {
    const stage = await stageOf([100, 100], { hedging: { minDelayMs: 20, maxDelayMs: 20, share: 1 } });
    await headOf(stage);
    stage.nodes[0]!.script = () => undefined;
    const answer = await stage.gateway.ask(call('eth_getBalance', ['0x1', 'latest']));
    expect([heightIn(answer), answer.elapsedMs < 1_000]).toEqual([100, true]);
    expect(stage.nodes[1]?.asked.map(({ items: [asked] }) => asked?.method)).toEqual([
      'eth_blockNumber',
      'eth_getBalance',
    ]);
  });
});

it('a network with one upstream keeps no marks, and asks nothing twice', async () => {
  const stage = await stageOf([100]);
  expect(stage.gateway.backend.heads).toBeNull();
  await headOf(stage);
  stage.chains[0]!.height = 97;
  expect(await headOf(stage)).toBe(97);
  expect(questions(stage)).toEqual([2]);
});

it('health checks tell how far an upstream is', async () => {
  const stage = await stageOf([100, 97], { healthChecks: { intervalMs: 20, lagBlocksMax: 10 } });
  await stage.gateway.ask(call('eth_getBalance', ['0x1', 'latest']));
  for (let i = 0; i < 500 && stage.gateway.backend.pool.nodes.some(({ heads }) => heads?.heightOf(0) === 0); i++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(stage.gateway.backend.pool.nodes.map(({ heads }) => heads?.heightOf(0))).toEqual([100, 97]);
});
