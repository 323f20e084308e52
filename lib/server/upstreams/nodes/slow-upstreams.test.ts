import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import { type NodeScript, refusingUrl, scriptedNode, sound } from '@/test/scripted-node';
import { hedgeDelayMs } from './hedged-read';

const SLOW_MS = 4_000;
const QUICK_MS = 4;
/** Hedging delay before the pool has measurements. */
const FIRST_DELAY_MS = 250;
const METHOD = 'eth_getBalance';
const after =
  (ms: number): NodeScript =>
  async (asked, response) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return sound()(asked, response) as string;
  };

/** Returns sorted latencies of reads by concurrent callers. No two reads are identical. */
async function latencies({ ask }: RpcGateway, count: number, callers = 4): Promise<number[]> {
  const found: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const answer = await ask({
        jsonrpc: '2.0',
        id: 1,
        method: METHOD,
        params: [`0x${(next++).toString(16)}`, 'latest'],
      });
      expect(answer.status).toBe(200);
      found.push(answer.elapsedMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return found.sort((a, b) => a - b);
}

const p99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)] as number;

const LONG = { timeout: 60_000 };

describe('of two upstreams', LONG, () => {
  it('one is dead: reads take hardly longer than with both', async () => {
    const [first, second, third] = [
      await scriptedNode(after(QUICK_MS)),
      await scriptedNode(after(QUICK_MS)),
      await scriptedNode(after(QUICK_MS)),
    ];
    const [healthy, halved] = [
      await rpcGateway([first.url, second.url]),
      await rpcGateway([await refusingUrl(), third.url]),
    ];
    await Promise.all([latencies(healthy, 30), latencies(halved, 30)]);
    // Both measurements run at the same time, so that a pause of this process affects both.
    const holds = async (): Promise<boolean> => {
      const [healthyMs, halvedMs] = (await Promise.all([latencies(healthy, 200), latencies(halved, 200)])).map(p99) as [
        number,
        number,
      ];
      console.info(
        `p99 with both upstreams ${healthyMs.toFixed(1)} ms, with one of them dead ${halvedMs.toFixed(1)} ms`,
      );
      return halvedMs < 1.5 * healthyMs + 50;
    };
    expect((await holds()) || (await holds()) || (await holds())).toBe(true);
  });

  it('one takes seconds: reads wait for the hedge at most, which it cannot drive up', async () => {
    const [slow, quick, alone] = [
      await scriptedNode(after(SLOW_MS)),
      await scriptedNode(after(QUICK_MS)),
      await scriptedNode(after(QUICK_MS)),
    ];
    const [gateway, control] = [await rpcGateway([slow.url, quick.url]), await rpcGateway([alone.url])];
    const { hedging } = gateway.gateway.config.rpc;
    // The control without the slow node runs at the same time, to measure the machine.
    const [sorted, controls] = await Promise.all([latencies(gateway, 400), latencies(control, 400)]);
    const delayMs = hedgeDelayMs(gateway.backend.pool.nodes, METHOD, hedging);
    console.info(
      `hedge delay ${delayMs} ms; reads p50 ${(sorted[200] as number).toFixed(1)} ms, p99 ${p99(sorted).toFixed(1)} ms, slowest ${(sorted.at(-1) as number).toFixed(1)} ms; the slow one was asked ${slow.asked.length} times`,
    );
    expect(delayMs).toBeLessThan(hedging.maxDelayMs);
    expect(p99(sorted)).toBeLessThan(1.3 * Math.max(FIRST_DELAY_MS, delayMs) + 2 * p99(controls) + 50);
    expect(sorted.at(-1)).toBeLessThan(SLOW_MS);
    expect(slow.asked.length).toBeLessThan(40);
  });

  it('the one that was fast becomes slow: the other takes over', async () => {
    const [first, second] = [await scriptedNode(after(1)), await scriptedNode(after(15))];
    const gateway = await rpcGateway([first.url, second.url]);
    await latencies(gateway, 100);
    first.script = after(SLOW_MS);
    const [before, sorted] = [second.asked.length, await latencies(gateway, 100)];
    expect(sorted.at(-1)).toBeLessThan(SLOW_MS / 2);
    expect(second.asked.length - before).toBeGreaterThan(90);
  });

  it('both are slow: nothing is asked more than twice, and hedges end with their budget', async () => {
    const nodes = [await scriptedNode(after(60)), await scriptedNode(after(60))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      { hedging: { minDelayMs: 10, maxDelayMs: 10, share: 0.1 } },
    );
    const reads = 400;
    await latencies(gateway, reads, 32);
    const asked = nodes.reduce((sum, node) => sum + node.asked.length, 0);
    expect(asked).toBeGreaterThan(reads + 50);
    // Hedges are limited to a burst of 100, a tenth of the reads, and one per second.
    expect(asked).toBeLessThan(reads + 100 + reads * 0.1 + 10);
  });

  it('the one called off is told', async () => {
    let calledOff = 0;
    const slow = await scriptedNode((_asked, response) => void response.on('close', () => calledOff++));
    const quick = await scriptedNode();
    const gateway = await rpcGateway([slow.url, quick.url], { hedging: { minDelayMs: 10, maxDelayMs: 20 } });
    await latencies(gateway, 1, 1);
    await expect.poll(() => calledOff).toBe(1);
  });
});

it('without a share for hedges a slow read is waited for', async () => {
  const [slow, quick] = [await scriptedNode(after(300)), await scriptedNode()];
  const gateway = await rpcGateway([slow.url, quick.url], { hedging: { minDelayMs: 10, maxDelayMs: 20, share: 0 } });
  expect((await latencies(gateway, 1, 1))[0]).toBeGreaterThan(290);
  expect(quick.asked).toHaveLength(0);
});
