import { describe, expect, it } from 'vitest';
import { NODE_FAULTS } from '@/test/node-faults';
import { rpcGateway } from '@/test/rpc-gateway';
import { type NodeScript, refusingUrl, resultOf, scriptedNode, sound } from '@/test/scripted-node';
import { networkHealthOf } from '../../rpc/network-health';

/**
 * Fault matrix of batches and sends, and of upstreams that lag and flap: the caller's answer, its time against the
 * budget, and the charge. Single reads are in faults.test.ts.
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
const READ = { jsonrpc: '2.0', id: 'mine', method: 'eth_getBalance', params: ['0x1', 'latest'] };
const BATCH = Array.from({ length: 4 }, (_none, i) => ({ ...READ, id: `i${i}`, params: [`0x${i}`, 'latest'] }));
const SOUND = BATCH.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'sound' }));
const SEND = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x02'] };
const FAULTS = Object.entries(NODE_FAULTS) as [string, NodeScript][];

const LONG = { timeout: 30_000 };

describe('a batch', LONG, () => {
  it.each(FAULTS)(
    'whose one upstream %s: one 500 for all of it, within the budget, nothing billed, no secret told',
    async (_fault, script) => {
      const node = await scriptedNode(script);
      const { ask, charges } = await rpcGateway([`${node.url}/k3y?key=k3y`], RPC);
      const answer = await ask(BATCH);
      expect(answer).toMatchObject({ status: 500, credits: null });
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'UPSTREAM_FAILED' });
      expect(answer.text).not.toMatch(/k3y|127\.0\.0\.1|:\d{4,5}\b/);
      expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      expect(charges()).toEqual([]);
    },
  );

  it('whose one upstream refuses the connection: 500, nothing billed', async () => {
    const { ask, charges } = await rpcGateway([`${await refusingUrl()}/k3y`], RPC);
    const answer = await ask(BATCH);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/k3y|127\.0\.0\.1/);
    expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(charges()).toEqual([]);
  });

  it.each(FAULTS)(
    'of whose two upstreams one %s: the other one answers all of it, within the budget, billed once',
    async (_fault, script) => {
      const [faulty, good] = [await scriptedNode(script), await scriptedNode()];
      const { ask, charges } = await rpcGateway([faulty.url, good.url], RPC);
      const answer = await ask(BATCH);
      expect(answer, answer.text).toMatchObject({ status: 200, credits: 80 });
      expect(JSON.parse(answer.text)).toEqual(SOUND);
      expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      expect(charges()).toEqual([80]);
    },
  );

  it('of whose two upstreams one refuses the connection: the other one answers, billed once', async () => {
    const good = await scriptedNode();
    const { ask, charges } = await rpcGateway([await refusingUrl(), good.url], RPC);
    const answer = await ask(BATCH);
    expect(JSON.parse(answer.text)).toEqual(SOUND);
    expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(charges()).toEqual([80]);
  });
});

describe('a transaction', LONG, () => {
  it.each(FAULTS)(
    'whose upstream %s: 500 within the budget, sent once and to nobody else, nothing billed',
    async (_fault, script) => {
      const [first, second] = [await scriptedNode(script), await scriptedNode()];
      const { ask, charges } = await rpcGateway([`${first.url}/k3y`, second.url], RPC);
      const answer = await ask(SEND);
      expect(answer).toMatchObject({ status: 500, credits: null });
      expect(answer.text).not.toMatch(/k3y|127\.0\.0\.1/);
      expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
      expect(charges()).toEqual([]);
    },
  );
});

function flapping(answer: NodeScript, fails = true): NodeScript {
  return (asked, response) => {
    fails = !fails;
    return fails ? answer(asked, response) : void response.writeHead(500).end();
  };
}

describe('upstreams that flap', LONG, () => {
  it.each([
    ['a read', READ, 20],
    ['a batch', BATCH, 80],
  ])('one of two: %s is answered each time, within the budget, and billed once', async (_what, body, credits) => {
    const [flappy, good] = [await scriptedNode(flapping(sound())), await scriptedNode()];
    const { ask, charges } = await rpcGateway([flappy.url, good.url], RPC);
    for (let i = 0; i < 12; i++) {
      const answer = await ask(body);
      expect(answer).toMatchObject({ status: 200, credits });
      expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    }
    expect(charges()).toEqual(Array(12).fill(credits));
  });

  it('both of two, at the same time and in turns: reads are answered each time, within the budget, and billed once', async () => {
    for (const inTurns of [false, true]) {
      const [first, second] = [await scriptedNode(flapping(sound())), await scriptedNode(flapping(sound(), inTurns))];
      const { ask, charges } = await rpcGateway([first.url, second.url], RPC);
      for (let i = 0; i < 4; i++) {
        const answer = await ask(READ);
        expect(answer.status, `read ${i}: ${answer.text}`).toBe(200);
        expect(answer.elapsedMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      }
      expect(charges()).toEqual(Array(4).fill(20));
    }
  });
});

describe('an upstream that lags', LONG, () => {
  it('has its old answers passed over, for batches too: the caller gets what the other one says, in its time, billed once', async () => {
    const at =
      (height: number): NodeScript =>
      (asked) => {
        const texts = asked.items.map((item) =>
          resultOf(
            item,
            item.method === 'eth_chainId'
              ? '"0x1"'
              : item.method === 'eth_blockNumber'
                ? `"0x${height.toString(16)}"`
                : `"of block ${height}"`,
          ),
        );
        return asked.batch ? `[${texts.join(',')}]` : texts[0];
      };
    const [behind, best] = [await scriptedNode(at(1_000)), await scriptedNode(at(2_000))];
    const { ask, charges, backend } = await rpcGateway([behind.url, best.url], {
      ...RPC,
      healthChecks: { intervalMs: 40, lagBlocksMax: 5 },
    });
    await ask({ ...READ, method: 'eth_gasPrice', params: [] });
    await expect
      .poll(() => networkHealthOf(backend).upstreams.map(({ state }) => state), { timeout: 20_000 })
      .toEqual(['lagging', 'healthy']);
    const before = charges().length;
    for (let i = 0; i < 5; i++) {
      const [read, batch] = [await ask(READ), await ask(BATCH)];
      expect(read).toMatchObject({
        status: 200,
        credits: 20,
        text: '{"jsonrpc":"2.0","id":"mine","result":"of block 2000"}',
      });
      expect((JSON.parse(batch.text) as { result: string }[]).map(({ result }) => result)).toEqual(
        Array(4).fill('of block 2000'),
      );
      expect(Math.max(read.elapsedMs, batch.elapsedMs)).toBeLessThan(RPC.attemptTimeoutMs + SLACK_MS);
    }
    expect(charges().slice(before)).toEqual(Array(5).fill([20, 80]).flat());
  });
});
