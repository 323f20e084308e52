import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import { rpcGateway } from '@/test/rpc-gateway';
import { errorOf, type NodeScript, resultOf, scriptedNode, sound } from '@/test/scripted-node';
import { batchText } from './request-text';

const RPC = { timeoutMs: 1_000, attemptTimeoutMs: 400, hedging: { minDelayMs: 20, maxDelayMs: 100 } };
const batchOf = (count: number) =>
  Array.from({ length: count }, (_none, i) => ({
    jsonrpc: '2.0',
    id: `i${i}`,
    method: 'eth_getBalance',
    params: [`0x${i}`, 'latest'],
  }));
const BATCH = batchOf(4);
const byParams = sound(({ params }) => JSON.stringify((params as string[])[0]));
const EXPECTED = BATCH.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] }));

/** Answers arrays with one script and single requests with another. */
const arrays =
  (ofArrays: NodeScript, ofSingles: NodeScript = byParams): NodeScript =>
  (asked, response) =>
    (asked.batch ? ofArrays : ofSingles)(asked, response);

const FAULTS: Readonly<Record<string, NodeScript>> = {
  'answers out of order': ({ items }) =>
    `[${[...items]
      .reverse()
      .map((item) => resultOf(item, JSON.stringify((item.params as string[])[0])))
      .join(',')}]`,
  'answers incompletely': ({ items }) =>
    `[${items
      .slice(1)
      .map((item) => resultOf(item, JSON.stringify((item.params as string[])[0])))
      .join(',')}]`,
  'answers one item twice': ({ items: [first] }) => `[${resultOf(first!, '"0x0"')},${resultOf(first!, '"0x0"')}]`,
  'answers with one error object': () => errorOf({ id: null }, -32600, 'batches are not supported'),
  'refuses with status 400': (_asked, response) => void response.writeHead(400).end('no batches'),
  'refuses with status 413': (_asked, response) => void response.writeHead(413).end(),
  'refuses with status 500': (_asked, response) => void response.writeHead(500).end(),
};

const LONG = { timeout: 30_000 };

describe('an upstream that', LONG, () => {
  it.each(Object.entries(FAULTS))(
    '%s to arrays: every item has its answer, in order, billed once',
    async (_fault, script) => {
      const node = await scriptedNode(arrays(script));
      const { ask, charges } = await rpcGateway([node.url], RPC);
      const answer = await ask(BATCH);
      expect(answer).toMatchObject({ status: 200, credits: 80 });
      expect(JSON.parse(answer.text)).toEqual(EXPECTED);
      expect(charges()).toEqual([80]);
    },
  );

  it('refused arrays is remembered, and sent no more than eight singles at a time', async () => {
    let [running, most] = [0, 0];
    const slow: NodeScript = async (asked, response) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
      return byParams(asked, response) as string;
    };
    const node = await scriptedNode(arrays(FAULTS['refuses with status 400'] as NodeScript, slow));
    const { ask } = await rpcGateway([node.url], RPC);
    expect((await ask(batchOf(40))).status).toBe(200);
    expect((await ask(batchOf(40))).status).toBe(200);
    expect(node.asked.filter(({ batch }) => batch)).toHaveLength(1);
    expect(node.asked.filter(({ batch }) => !batch)).toHaveLength(80);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('never answers one item: 500 for all, nothing billed', async () => {
    const silentOn = ({ items }: { items: { params: unknown }[] }) =>
      items.filter((item) => (item.params as string[])[0] !== '0x2');
    const node = await scriptedNode((asked, response) => {
      const items = silentOn(asked) as typeof asked.items;
      if (items.length > 0) return byParams({ ...asked, items }, response);
    });
    const { ask, charges } = await rpcGateway([node.url], RPC);
    const answer = await ask(BATCH);
    expect(answer.status).toBe(500);
    expect(answer.elapsedMs).toBeLessThan(RPC.timeoutMs + 2_000);
    expect(charges()).toEqual([]);
  });

  it.each(['<html>', '[{"id":', '[]', '{"id":1,"result":1}'])(
    'answers %j to everything: 500, nothing billed',
    async (body) => {
      const node = await scriptedNode(() => body);
      const { ask, charges } = await rpcGateway([node.url], RPC);
      expect((await ask(BATCH)).status).toBe(500);
      expect(charges()).toEqual([]);
    },
  );
});

describe('of two upstreams', LONG, () => {
  it.each([
    ['is silent', (() => undefined) as NodeScript],
    ['answers 502', ((_asked, response) => void response.writeHead(502).end()) as NodeScript],
    ['resets', ((_asked, response) => void response.socket?.resetAndDestroy()) as NodeScript],
    ['is over its limit', (() => errorOf({ id: null }, -32005, 'rate limit exceeded')) as NodeScript],
  ])('one %s: the other one gets the whole batch', async (_fault, script) => {
    const [bad, good] = [await scriptedNode(script), await scriptedNode(byParams)];
    const { ask, charges } = await rpcGateway([bad.url, good.url], RPC);
    const answer = await ask(BATCH);
    expect(JSON.parse(answer.text)).toEqual(EXPECTED);
    expect(good.asked.map(({ items }) => items.length)).toEqual([4]);
    expect(charges()).toEqual([80]);
  });

  it('one cannot serve an item: the other one is asked for that item alone', async () => {
    const pruned: NodeScript = ({ items }) =>
      `[${items.map((item, i) => (i === 2 ? errorOf(item, -32000, 'missing trie node') : resultOf(item, `"0x${i}"`))).join(',')}]`;
    const [first, second] = [
      await scriptedNode(arrays(pruned, ({ items: [item] }) => errorOf(item!, -32000, 'missing trie node'))),
      await scriptedNode(byParams),
    ];
    const { ask } = await rpcGateway([first.url, second.url], RPC);
    expect(JSON.parse((await ask(BATCH)).text)).toEqual(EXPECTED);
    expect(second.asked.map(({ items }) => items.map(({ params }) => params))).toEqual([[['0x2', 'latest']]]);
  });
});

describe('billing', LONG, () => {
  it('an item that is an error costs 5, as if asked alone', async () => {
    const node = await scriptedNode(
      ({ items }) =>
        `[${items.map((item, i) => (i === 0 ? errorOf(item, -32602, 'bad params') : resultOf(item, '1'))).join(',')}]`,
    );
    const { ask, charges } = await rpcGateway([node.url], RPC);
    expect((await ask(BATCH.slice(0, 2))).credits).toBe(25);
    expect(charges()).toEqual([25]);
  });
});

describe('the text of a batch', () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.constantFrom('a', '},{', ':1', '"', '\\', 'é'));
  const item = fc.record({
    jsonrpc: fc.constant('2.0'),
    id,
    method: fc.constantFrom('eth_call', 'eth_getBalance', 'm'),
    params: fc.array(
      fc.oneof(fc.integer(), fc.constantFrom('0x1', null, ['[', { a: true }]), fc.jsonValue({ maxDepth: 1 })),
      {
        maxLength: 3,
      },
    ),
  });

  it('has the same items under new ids, whether it is copied from the body or put together', () => {
    let copied = 0;
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, 9, 95, 999_990, 2 ** 31 - 20),
        (asked, firstId) => {
          const { items, plain } = parseRpcBody(Buffer.from(JSON.stringify(asked)));
          if (plain) copied++;
          const expected = asked.map(({ method, params }, i) => ({ jsonrpc: '2.0', id: firstId + i, method, params }));
          const text = batchText(items, firstId, plain);
          expect(text).toBe(batchText(items, firstId));
          expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(expected));
        },
      ),
      { seed: 37, numRuns: 500 },
    );
    expect(copied).toBeGreaterThan(100);
  });

  it('is put together if the body is long', () => {
    const asked = Array.from({ length: 100 }, (_none, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: ['a'.repeat(700)],
    }));
    const { items, plain } = parseRpcBody(Buffer.from(JSON.stringify(asked)));
    expect(plain).toBeDefined();
    expect(batchText(items, 5, plain) === JSON.stringify(asked.map((each) => ({ ...each, id: each.id + 5 })))).toBe(
      true,
    );
  });
});
