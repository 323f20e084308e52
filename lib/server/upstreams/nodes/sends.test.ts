import { describe, expect, it } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import { errorOf, type NodeScript, refusingUrl, scriptedNode, sound } from '@/test/scripted-node';

/** A send goes out exactly once, whatever its outcome. */

const RPC = { timeoutMs: 400, attemptTimeoutMs: 200, hedging: { minDelayMs: 10, maxDelayMs: 30 } };
const SEND = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x02'] };
const READ = { jsonrpc: '2.0', id: 2, method: 'eth_getBalance', params: ['0x1', 'latest'] };

const FAULTS: Readonly<Record<string, NodeScript>> = {
  silence: () => undefined,
  'status 500': (_asked, response) => void response.writeHead(500).end(),
  'status 429': (_asked, response) => void response.writeHead(429, { 'retry-after': '0' }).end(),
  'a reset': (_asked, response) => void response.socket?.resetAndDestroy(),
  HTML: () => '<html>',
  'a wrong id': () => '{"id":-1,"result":1}',
};

const LONG = { timeout: 30_000 };

describe('a transaction', LONG, () => {
  it.each(Object.entries(FAULTS))('that meets %s is not sent again, and not billed', async (_fault, script) => {
    const [first, second] = [await scriptedNode(script), await scriptedNode()];
    const { ask, charges } = await rpcGateway([first.url, second.url], RPC);
    expect((await ask(SEND)).status).toBe(500);
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    expect(charges()).toEqual([]);
  });

  it('that is slow is not hedged', async () => {
    const slow: NodeScript = async (asked) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return sound()(asked, undefined as never) as string;
    };
    const [first, second] = [await scriptedNode(slow), await scriptedNode(slow)];
    const { ask, charges } = await rpcGateway([first.url, second.url], RPC);
    expect((await ask(SEND)).status).toBe(200);
    expect(first.asked.length + second.asked.length).toBe(1);
    expect(charges()).toEqual([20]);
  });

  it('of which no byte could leave goes to the other upstream', async () => {
    const good = await scriptedNode();
    const { ask } = await rpcGateway([await refusingUrl(), good.url], RPC);
    expect((await ask(SEND)).status).toBe(200);
    expect(good.asked).toHaveLength(1);
  });

  it('refused with a rate limit in the answer has its answer', async () => {
    const [first, second] = [
      await scriptedNode(({ items: [item] }) => errorOf(item!, -32005, 'rate limit exceeded')),
      await scriptedNode(),
    ];
    const { ask } = await rpcGateway([first.url, second.url], RPC);
    expect(await ask(SEND)).toMatchObject({ status: 200, credits: 5 });
    expect(second.asked).toHaveLength(0);
  });

  it('sent twice by its callers is sent twice: sends are never joined', async () => {
    const node = await scriptedNode();
    const { ask } = await rpcGateway([node.url], RPC);
    await Promise.all([ask(SEND), ask(SEND)]);
    expect(node.asked).toHaveLength(2);
  });
});

describe('in a batch, an item that sends', LONG, () => {
  it('goes out alone and in its place, the reads around it together', async () => {
    const node = await scriptedNode(sound(({ method }) => JSON.stringify(method)));
    const { ask, charges } = await rpcGateway([node.url], RPC);
    const answer = await ask([READ, { ...READ, params: ['0x2', 'latest'] }, SEND, READ]);
    expect(answer).toMatchObject({ status: 200, credits: 80 });
    expect((JSON.parse(answer.text) as { result: string }[]).map(({ result }) => result)).toEqual([
      'eth_getBalance',
      'eth_getBalance',
      'eth_sendRawTransaction',
      'eth_getBalance',
    ]);
    expect(node.asked.map(({ items }) => items.map(({ method }) => method))).toEqual([
      ['eth_getBalance', 'eth_getBalance'],
      ['eth_sendRawTransaction'],
      ['eth_getBalance'],
    ]);
    expect(charges()).toEqual([80]);
  });

  it('is not sent any more when the time of the call is over', async () => {
    const slow: NodeScript = async (asked, response) => {
      await new Promise((resolve) => setTimeout(resolve, 380));
      return sound()(asked, response) as string;
    };
    const node = await scriptedNode(slow);
    const { ask, charges } = await rpcGateway([node.url], RPC);
    const answer = await ask([SEND, { ...SEND, id: 2 }, { ...SEND, id: 3 }]);
    expect(answer.status).toBe(500);
    expect(answer.elapsedMs).toBeLessThan(RPC.timeoutMs + 2_000);
    expect(node.asked.length).toBeLessThan(3);
    expect(charges()).toEqual([]);
  });

  it('is sent once where arrays are refused', async () => {
    const node = await scriptedNode((asked, response) =>
      asked.batch ? void response.writeHead(400).end() : sound()(asked, response),
    );
    const { ask } = await rpcGateway([node.url], RPC);
    expect((await ask([SEND, READ, { ...READ, id: 3 }, { ...SEND, id: 4 }])).status).toBe(200);
    expect(node.count('eth_sendRawTransaction')).toBe(2);
  });

  it.each(Object.entries(FAULTS))(
    'that meets %s ends the batch: no second attempt, nothing after it, nothing billed',
    async (_fault, script) => {
      const picky: NodeScript = (asked, response) =>
        asked.items[0]?.method === SEND.method ? script(asked, response) : sound()(asked, response);
      const [first, second] = [await scriptedNode(picky), await scriptedNode(picky)];
      const { ask, charges } = await rpcGateway([first.url, second.url], RPC);
      expect((await ask([READ, SEND, { ...SEND, id: 9 }])).status).toBe(500);
      expect(first.count(SEND.method) + second.count(SEND.method)).toBe(1);
      expect(charges()).toEqual([]);
    },
  );
});
