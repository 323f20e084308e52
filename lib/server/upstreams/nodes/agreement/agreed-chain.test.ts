import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import { type AskedItem, errorOf, type NodeScript, resultOf, scriptedNode } from '@/test/scripted-node';

/** Nodes of one chain. One of them lies; the others lag, fail and are slow in turn. */

const RPC = {
  timeoutMs: 4_000,
  attemptTimeoutMs: 800,
  hedging: { share: 0 },
  retryShare: 0,
  healthChecks: { intervalMs: 200 },
};
const METHODS = [
  'eth_blockNumber',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getLogs',
  'eth_getTransactionReceipt',
];
const hex = (height: number): string => `0x${height.toString(16)}`;
const hashOf = (height: number): string => `0x${height.toString(16).padStart(64, '0')}`;

interface Node {
  /** Height of the head. Never decreases. */
  head: number;
  lies: boolean;
  fails: boolean;
  slowMs: number;
}

/** Returns the true answer of a node with this head; undefined for data that the node does not have. */
function truth({ method, params }: AskedItem, head: number): unknown {
  const [first, second] = params as [unknown, unknown];
  switch (method) {
    case 'eth_chainId':
      return '0x1';
    case 'eth_blockNumber':
      return hex(head);
    case 'eth_getBalance':
      return Number(second) > head ? undefined : hex(Number(second) * 7);
    case 'eth_getBlockByNumber': {
      const height = first === 'latest' || first === 'finalized' ? head : Number(first);
      return height > head ? null : { number: hex(height), hash: hashOf(height) };
    }
    case 'eth_getTransactionReceipt': {
      const height = Number(first);
      return height > head
        ? null
        : { transactionHash: first, blockNumber: hex(height), blockHash: hashOf(height), status: '0x1' };
    }
    default: {
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
      const logs = [];
      for (let height = Number(fromBlock); height <= Math.min(head, Number(toBlock)); height++)
        logs.push({ blockNumber: hex(height), blockHash: hashOf(height), data: '0x01' });
      return logs;
    }
  }
}

const LIES: Readonly<Record<string, (item: AskedItem, head: number) => unknown>> = {
  eth_blockNumber: (_item, head) => hex(head + 3),
  eth_getBalance: () => '0xbad',
  eth_getBlockByNumber: ({ params }, head) => ({
    number: (params as string[])[0]?.startsWith('0x') ? (params as string[])[0] : hex(head + 3),
    hash: `0x${'ba'.repeat(32)}`,
  }),
  eth_getLogs: () => [],
  eth_getTransactionReceipt: ({ params }, head) => ({
    transactionHash: (params as string[])[0],
    blockNumber: hex(head),
    blockHash: hashOf(head),
    status: '0x0',
  }),
};

describe('over a chain that grows', { timeout: 120_000 }, () => {
  it('no caller is given a lie, a block that goes back, or null for what it was told', async () => {
    const chain = { head: 1_000 };
    const behaviours: Node[] = Array.from({ length: 4 }, () => ({ head: 1_000, lies: false, fails: false, slowMs: 0 }));
    const scriptOf =
      (node: Node): NodeScript =>
      async ({ batch, items }, response) => {
        if (node.fails) return void response.writeHead(503).end();
        if (node.slowMs > 0) await sleep(node.slowMs);
        const { head } = node;
        const answers = items.map((item) => {
          const said = node.lies && LIES[item.method] ? LIES[item.method]?.(item, head) : truth(item, head);
          return said === undefined ? errorOf(item, -32000, 'header not found') : resultOf(item, JSON.stringify(said));
        });
        return batch ? `[${answers.join(',')}]` : answers[0];
      };
    const nodes = await Promise.all(behaviours.map((node) => scriptedNode(scriptOf(node))));
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
      undefined,
      { agreement: { methods: METHODS, nodes: 3, agreeing: 2 } },
    );
    let told = 0;
    const seen = { answered: 0, disagreed: 0, failed: 0 };

    const check = ({ method, params }: { method: string; params: unknown[] }, result: unknown): void => {
      if (method === 'eth_blockNumber') {
        expect(Number(result)).toBeLessThanOrEqual(chain.head);
        expect(Number(result)).toBeGreaterThanOrEqual(told);
        told = Number(result);
      } else if (method === 'eth_getBalance' && params[1] === 'latest') {
        expect(Number(result) % 7).toBe(0);
        expect(Number(result) / 7).toBeGreaterThanOrEqual(told);
      } else if (method === 'eth_getBlockByNumber' && params[0] === 'latest') {
        const { number, hash } = result as { number: string; hash: string };
        expect([hash, Number(number) >= told]).toEqual([hashOf(Number(number)), true]);
        told = Number(number);
      } else expect(result).toEqual(truth({ id: 0, method, params }, chain.head));
    };

    const question = fc.constantFrom('head', 'block', 'balance', 'named', 'logs', 'receipt');
    const callOf = (asked: string): { method: string; params: unknown[] } => {
      const at = Math.max(told, 1_000);
      if (asked === 'head') return { method: 'eth_blockNumber', params: [] };
      if (asked === 'block') return { method: 'eth_getBlockByNumber', params: ['latest', false] };
      if (asked === 'balance') return { method: 'eth_getBalance', params: ['0x1', 'latest'] };
      if (asked === 'named') return { method: 'eth_getBlockByNumber', params: [hex(at), false] };
      if (asked === 'logs') return { method: 'eth_getLogs', params: [{ fromBlock: hex(at - 5), toBlock: hex(at) }] };
      return { method: 'eth_getTransactionReceipt', params: [hashOf(at)] };
    };
    const steps = fc.sample(
      fc.record({
        others: fc.array(
          fc.record({
            lag: fc.constantFrom(0, 0, 0, 1, 2),
            fails: fc.constantFrom(false, false, false, false, false, true),
            slowMs: fc.constantFrom(0, 0, 0, 30),
          }),
          { minLength: 4, maxLength: 4 },
        ),
        grows: fc.nat(2),
        asked: fc.array(question, { minLength: 1, maxLength: 4 }),
        isBatch: fc.boolean(),
      }),
      { seed: 35, numRuns: 80 },
    );
    const liar = 2;
    for (const { others, grows, asked, isBatch } of steps) {
      chain.head += grows;
      behaviours.forEach((node, i) => {
        const { lag, fails, slowMs } = others[i] as (typeof others)[number];
        Object.assign(node, {
          head: Math.max(node.head, chain.head - lag),
          lies: i === liar,
          fails: fails && i !== liar,
          slowMs,
        });
      });
      const calls = asked.map((each, id) => ({ jsonrpc: '2.0', id, ...callOf(each) }));
      for (const body of isBatch ? [calls] : calls) {
        const { status, text } = await gateway.ask(body);
        if (status !== 200) {
          seen.failed++;
          continue;
        }
        const answers = [JSON.parse(text) as { id: number; result?: unknown; error?: { code: number } }].flat();
        for (const { id, result, error } of answers) {
          if (error) seen.disagreed++;
          else {
            seen.answered++;
            check(calls[id] as (typeof calls)[number], result);
          }
        }
      }
    }
    expect(seen.answered).toBeGreaterThan(120);
    expect(seen.disagreed + seen.failed).toBeLessThan(seen.answered / 4);
    expect(gateway.backend.agreed?.outvotedOf(gateway.backend.pool.nodes[liar]!)).toBeGreaterThan(0);
  });

  it('logs of more blocks than nodes serve are read in parts, each of them agreed', async () => {
    const scriptOf =
      (lies: boolean): NodeScript =>
      ({ items: [item] }) => {
        if (item?.method !== 'eth_getLogs') return resultOf(item!, JSON.stringify(truth(item!, 5_000)));
        const [{ fromBlock, toBlock }] = item.params as [{ fromBlock: string; toBlock: string }];
        if (Number(toBlock) - Number(fromBlock) >= 1_000)
          return errorOf(item, -32600, 'eth_getLogs is limited to a 1000 block range');
        return resultOf(item, JSON.stringify(lies ? [] : truth(item, 5_000)));
      };
    const nodes = await Promise.all([true, false, false].map((lies) => scriptedNode(scriptOf(lies))));
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      { ...RPC, healthChecks: { intervalMs: 0 } },
      undefined,
      { chainIdentity: false, agreement: { methods: METHODS } },
    );
    const answer = await gateway.ask({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getLogs',
      params: [{ fromBlock: '0x1', toBlock: hex(3_000) }],
    });
    expect(answer).toMatchObject({ status: 200, credits: 60, agreement: '2/3' });
    expect((JSON.parse(answer.text) as { result: unknown[] }).result).toHaveLength(3_000);
    expect(gateway.backend.agreed?.outvotedOf(gateway.backend.pool.nodes[0]!)).toBeGreaterThan(0);
  });
});
