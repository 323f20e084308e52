import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import { errorOf, type NodeScript, type ScriptedNode, scriptedNode, sound } from '@/test/scripted-node';
import { until } from '@/test/until';

/** Clients that disconnect: a sent request runs to its end and is charged by its outcome; an unsent one is free. */

const RPC = { timeoutMs: 1_000, attemptTimeoutMs: 500, hedging: { minDelayMs: 20, maxDelayMs: 40 } };
const READ = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0x1', 'latest'] };
const OTHER = { ...READ, id: 2, params: ['0x2', 'latest'] };

const LONG = { timeout: 30_000 };

function late(ms: number, script: NodeScript = sound()): NodeScript {
  return async (asked, response) => {
    await sleep(ms);
    return script(asked, response);
  };
}

/** Asks, and disconnects once `when` is true. */
async function leave({ ask }: Pick<RpcGateway, 'ask'>, body: unknown, when: () => boolean): Promise<void> {
  const leaving = new AbortController();
  const asked = ask(body, leaving.signal).catch(() => undefined);
  await until(when);
  leaving.abort();
  await asked;
}

/** Returns the charges of a caller that left, once nothing is reserved any more. */
async function chargedAfter({ charges, gateway }: RpcGateway, count: number): Promise<number[]> {
  await until(() => charges().length >= count);
  await sleep(100);
  expect(await gateway.meter.spendable({ accountId: 1, apiKeyId: 1, purse: 'account' })).toBe(
    1_000_000_000 - charges().reduce((sum, credits) => sum + credits, 0) * 700,
  );
  return charges();
}

const wasAsked =
  (...nodes: ScriptedNode[]) =>
  () =>
    nodes.every(({ asked }) => asked.length > 0);

describe('a client that leaves after its call was sent pays what the upstream did', LONG, () => {
  it('a read', async () => {
    const node = await scriptedNode(late(100));
    const rpc = await rpcGateway([node.url], RPC);
    await leave(rpc, READ, wasAsked(node));
    expect(await chargedAfter(rpc, 1)).toEqual([20]);
  });

  it('twenty reads, each of them', async () => {
    const node = await scriptedNode(late(200));
    const rpc = await rpcGateway([node.url], RPC);
    await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        leave(rpc, { ...READ, params: [`0x${index}`, 'latest'] }, () => node.asked.length >= 20),
      ),
    );
    expect(await chargedAfter(rpc, 20)).toEqual(Array.from({ length: 20 }, () => 20));
  });

  it('the same read of several callers, asked once and charged to each', async () => {
    const node = await scriptedNode(late(200));
    const rpc = await rpcGateway([node.url], RPC);
    const [staying] = await Promise.all([
      rpc.ask(READ),
      leave(rpc, READ, wasAsked(node)),
      leave(rpc, READ, wasAsked(node)),
    ]);
    expect(staying).toMatchObject({ status: 200, credits: 20 });
    expect(await chargedAfter(rpc, 3)).toEqual([20, 20, 20]);
    expect(node.asked).toHaveLength(1);
  });

  it('an answer that is an error', async () => {
    const node = await scriptedNode(late(100, ({ items: [item] }) => errorOf(item!, -32000, 'execution reverted')));
    const rpc = await rpcGateway([node.url], RPC);
    await leave(rpc, READ, wasAsked(node));
    expect(await chargedAfter(rpc, 1)).toEqual([5]);
  });

  it('a batch', async () => {
    const node = await scriptedNode(late(100));
    const rpc = await rpcGateway([node.url], RPC);
    await leave(rpc, [READ, OTHER], wasAsked(node));
    expect(await chargedAfter(rpc, 1)).toEqual([40]);
  });

  it('a batch that the upstream takes only one by one, the items included that had not left yet', async () => {
    const node = await scriptedNode((asked, response) =>
      asked.batch ? void response.writeHead(405).end() : late(60)(asked, response),
    );
    const rpc = await rpcGateway([node.url], RPC);
    const items = Array.from({ length: 12 }, (_none, index) => ({
      ...READ,
      id: index,
      params: [`0x${index}`, 'latest'],
    }));
    await leave(rpc, items, () => node.asked.length > 1);
    expect(await chargedAfter(rpc, 1)).toEqual([12 * 20]);
  });

  it('a read that is hedged: the one that answers is charged, once', async () => {
    const [first, second] = [await scriptedNode(late(400)), await scriptedNode(late(100))];
    const rpc = await rpcGateway([first.url, second.url], RPC);
    await leave(rpc, READ, wasAsked(first));
    expect(await chargedAfter(rpc, 1)).toEqual([20]);
    expect(second.asked).toHaveLength(1);
  });

  it('a read whose first upstream fails, and that another answers', async () => {
    const [first, second] = [
      await scriptedNode(late(10, (_asked, response) => void response.writeHead(500).end())),
      await scriptedNode(late(100)),
    ];
    const rpc = await rpcGateway([first.url, second.url], { ...RPC, hedging: { minDelayMs: 400, maxDelayMs: 400 } });
    await leave(rpc, READ, wasAsked(first));
    expect(await chargedAfter(rpc, 1)).toEqual([20]);
    expect(second.asked).toHaveLength(1);
  });
});

describe('a client that leaves pays nothing', LONG, () => {
  it.each<[string, NodeScript]>([
    ['the upstream fails', late(50, (_asked, response) => void response.writeHead(500).end())],
    ['the upstream answers no JSON-RPC', late(50, () => '<html>')],
    ['the upstream says nothing until the time is over', () => undefined],
  ])('where %s, and holds nothing after that', async (_what, script) => {
    const node = await scriptedNode(script);
    const rpc = await rpcGateway([node.url], RPC);
    await leave(rpc, READ, wasAsked(node));
    await sleep(RPC.timeoutMs + 300);
    expect(await chargedAfter(rpc, 0)).toEqual([]);
  });

  it('where its call was never sent: no byte of it leaves after it has gone', async () => {
    const silent = await scriptedNode(() => undefined);
    const rpc = await rpcGateway([silent.url], { ...RPC, connectionsPerUpstream: 1 });
    // Occupies the only connection.
    const other = rpc.ask(OTHER).catch(() => undefined);
    await until(wasAsked(silent));
    const leaving = new AbortController();
    const asked = rpc.ask(READ, leaving.signal).catch(() => undefined);
    await sleep(100);
    leaving.abort();
    await Promise.all([asked, other]);
    await sleep(300);
    expect(silent.asked.map(({ items: [item] }) => item?.params)).toEqual([OTHER.params]);
    expect(await chargedAfter(rpc, 0)).toEqual([]);
  });
});
