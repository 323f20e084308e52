import { describe, expect, it } from 'vitest';
import { NODE_FAULTS } from '@/test/node-faults';
import { NETWORK, rpcGateway } from '@/test/rpc-gateway';
import { type NodeScript, refusingUrl, resultOf, scriptedNode, sound } from '@/test/scripted-node';

/**
 * Fault matrix of single reads: the caller's answer, its time and the charge, with one faulty upstream, alone or with a
 * sound one. Batches and sends are in fault-matrix.test.ts.
 */

const TIMEOUT_MS = 1_200;
const RPC = {
  timeoutMs: TIMEOUT_MS,
  attemptTimeoutMs: 500,
  hedging: { minDelayMs: 20, maxDelayMs: 150 },
  answerBytesMax: 2_000_000,
};
/** Slack for a busy machine, on top of a budget. */
const SLACK_MS = 2_000;
const CALL = { jsonrpc: '2.0', id: 'mine', method: 'eth_getBalance', params: ['0x1', 'latest'] };

const LONG = { timeout: 30_000 };

describe('one upstream that', LONG, () => {
  it.each(Object.entries(NODE_FAULTS))(
    '%s: 500 within the budget, nothing billed, no secret told',
    async (_fault, script) => {
      const node = await scriptedNode(script);
      const { ask, charges } = await rpcGateway([`${node.url}/k3y?key=k3y`], RPC);
      const answer = await ask(CALL);
      expect(answer).toMatchObject({ status: 500, credits: null });
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'UPSTREAM_FAILED' });
      expect(answer.text).not.toMatch(/k3y|127\.0\.0\.1|:\d{4,5}\b/);
      expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      expect(charges()).toEqual([]);
    },
  );

  it('refuses the connection: 500 at once, nothing billed', async () => {
    const { ask, charges } = await rpcGateway([`${await refusingUrl()}/k3y`], RPC);
    const answer = await ask(CALL);
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('it refused the connection');
    expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(charges()).toEqual([]);
  });

  it('asks for a short rest is given it, and asked again', async () => {
    let requests = 0;
    const node = await scriptedNode(({ items: [item] }, response) =>
      requests++ === 0 ? void response.writeHead(429, { 'retry-after': '1' }).end() : resultOf(item!, '1'),
    );
    const { ask, charges } = await rpcGateway([node.url], { ...RPC, timeoutMs: 5_000 });
    const answer = await ask(CALL);
    expect(answer).toMatchObject({ status: 200, credits: 20 });
    expect(answer.elapsedMs).toBeGreaterThan(950);
    expect(charges()).toEqual([20]);
  });

  it.each([
    ['is given a short rest beside one of another chain', '1', ({ items: [item] }) => resultOf(item!, '"0x5"')],
    ['is given a short rest beside one that is down', '1', (_asked, response) => void response.writeHead(503).end()],
    [
      'is passed over for a long rest, once the other has proved its chain',
      '60',
      async ({ items: [item] }) => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return resultOf(item!, '"0x1"');
      },
    ],
  ] as [string, string, NodeScript][])('has reached its limit %s', async (_what, seconds, other) => {
    const asked = new Set<string>();
    const limited = await scriptedNode(({ items: [item] }, response) => {
      if (item!.method === 'eth_chainId') return resultOf(item!, '"0x1"');
      if (asked.has('read')) return resultOf(item!, '1');
      asked.add('read');
      return void response.writeHead(429, { 'retry-after': seconds }).end();
    });
    const second = await scriptedNode(other);
    const { ask, charges } = await rpcGateway([limited.url, second.url], { ...RPC, timeoutMs: 5_000 }, NETWORK, {});
    expect(await ask(CALL)).toMatchObject({ status: 200 });
    expect(charges()).toEqual([20]);
  });

  it('flaps: a read is tried again there, and billed once', async () => {
    let requests = 0;
    const node = await scriptedNode(({ items: [item] }, response) =>
      requests++ % 2 === 0 ? void response.writeHead(500).end() : resultOf(item!, '1'),
    );
    const { ask, charges } = await rpcGateway([node.url], RPC);
    for (let i = 0; i < 3; i++) expect((await ask(CALL)).status).toBe(200);
    expect(charges()).toEqual([20, 20, 20]);
  });

  it('was down serves again with the first call after it is up', async () => {
    const node = await scriptedNode((_asked, response) => void response.writeHead(500).end());
    const { ask } = await rpcGateway([node.url], RPC);
    for (let i = 0; i < 6; i++) expect((await ask(CALL)).status).toBe(500);
    node.script = sound();
    expect((await ask(CALL)).status).toBe(200);
  });
});

describe('one upstream of two that', LONG, () => {
  it.each(Object.entries(NODE_FAULTS))('%s: the other one answers, billed once', async (_fault, script) => {
    const [faulty, good] = [await scriptedNode(script), await scriptedNode()];
    const { ask, charges } = await rpcGateway([faulty.url, good.url], RPC);
    const answer = await ask(CALL);
    expect(answer).toMatchObject({ status: 200, credits: 20, text: '{"jsonrpc":"2.0","id":"mine","result":"sound"}' });
    expect(answer.elapsedMs).toBeLessThan(RPC.attemptTimeoutMs + SLACK_MS);
    expect(charges()).toEqual([20]);
    expect([faulty.asked.length, good.asked.length]).toEqual([1, 1]);
  });

  it('refuses the connection: the other one answers at once', async () => {
    const good = await scriptedNode();
    const { ask, charges } = await rpcGateway([await refusingUrl(), good.url], RPC);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_none, i) => ask({ ...CALL, params: [`0x${i}`, 'latest'] })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(charges()).toHaveLength(50);
  });

  it('asked for a rest gets it', async () => {
    const [tired, good] = [await scriptedNode(NODE_FAULTS['answers 429 with Retry-After']), await scriptedNode()];
    const { ask } = await rpcGateway([tired.url, good.url], RPC);
    for (let i = 0; i < 10; i++) expect((await ask(CALL)).status).toBe(200);
    expect(tired.asked).toHaveLength(1);
  });

  it('keeps failing is cut off after five failures, and asked again when it may be well', async () => {
    const [bad, good] = [await scriptedNode(NODE_FAULTS['answers 500']), await scriptedNode()];
    const { ask } = await rpcGateway([bad.url, good.url], RPC);
    for (let i = 0; i < 30; i++) expect((await ask(CALL)).status).toBe(200);
    expect(bad.asked).toHaveLength(5);
    bad.script = sound();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (let i = 0; i < 5; i++) expect((await ask(CALL)).status).toBe(200);
    expect(bad.asked.length).toBeGreaterThan(5);
  });

  it('fails at one method still serves the others', async () => {
    const [half, good] = [
      await scriptedNode((asked, response) =>
        asked.items[0]?.method === 'eth_getLogs' ? void response.writeHead(500).end() : sound()(asked, response),
      ),
      await scriptedNode(),
    ];
    const { ask } = await rpcGateway([half.url, good.url], RPC);
    for (let i = 0; i < 10; i++) expect((await ask({ ...CALL, method: 'eth_getLogs' })).status).toBe(200);
    const before = half.asked.length;
    await ask(CALL);
    expect(half.asked.length).toBe(before + 1);
  });

  it('says that it cannot serve (rate limit, missing state) is passed over; what both say is the answer, at 5 credits', async () => {
    const unable: NodeScript = ({ items: [item] }) =>
      `{"jsonrpc":"2.0","id":${item!.id},"error":{"code":-32000,"message":"missing trie node 0xabc"}}`;
    const [pruned, archive] = [await scriptedNode(unable), await scriptedNode()];
    const { ask, charges } = await rpcGateway([pruned.url, archive.url], RPC);
    expect(await ask(CALL)).toMatchObject({ status: 200, credits: 20 });
    archive.script = unable;
    const answer = await ask(CALL);
    expect(answer).toMatchObject({ status: 200, credits: 5 });
    expect(answer.text).toContain('missing trie node');
    expect(charges()).toEqual([20, 5]);
  });

  it('answers null or an error of its own has answered', async () => {
    for (const member of ['"result":null', '"result":[]', '"error":{"code":3,"message":"execution reverted"}']) {
      const [first, second] = [
        await scriptedNode(({ items: [item] }) => `{"jsonrpc":"2.0","id":${item!.id},${member}}`),
        await scriptedNode(),
      ];
      const { ask } = await rpcGateway([first.url, second.url], RPC);
      expect((await ask(CALL)).text).toBe(`{"jsonrpc":"2.0","id":"mine",${member}}`);
      expect(second.asked).toHaveLength(0);
    }
  });

  it('both are down: 500 that names each by its place, within the budget, nothing billed', async () => {
    const node = await scriptedNode(NODE_FAULTS['answers 500']);
    const { ask, charges } = await rpcGateway([`${await refusingUrl()}/k3y`, `${node.url}/k3y`], RPC);
    const answer = await ask(CALL);
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('upstream 1: it refused the connection; upstream 2: it answered with status 500');
    expect(answer.text).not.toMatch(/k3y|127\.0\.0\.1/);
    expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(charges()).toEqual([]);
  });
});
