import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { NETWORKS, type Network } from '@/lib/protocol/networks';
import type { AnswerBody } from '../../http1/exchange';
import type { ItemAnswer } from '../node-request';
import type { Upstream } from '../upstream';
import { isUpstreamFailure, UpstreamFailure } from '../upstream-failure';
import { UpstreamNode } from '../upstream-node';
import { UpstreamPool } from '../upstream-pool';
import { AgreedReads } from './agreed-reads';

/** A node gives one of several answers in one of its spellings, cannot serve the read, or fails. */
type Behaviour = { says: 'a' | 'b' | 'c' | 'revert'; way: number } | { says: 'late' } | { says: 'down' };

interface Stage {
  nodes: { does: Behaviour; turns: number }[];
  asked: number;
  share: number;
}

const WAYS: Readonly<Record<string, readonly string[]>> = {
  a: ['"result":{"x":"0xAB","y":1}', '"result":{"y":1.0,"x":"0xab","z":null}'],
  b: ['"result":{"x":"0xab","y":2}', '"result": { "y": 2, "x": "0xAB" }'],
  c: ['"result":null', '"result":null'],
  revert: [
    '"error":{"code":3,"message":"execution reverted","data":"0x0a"}',
    '"error":{"code":-32015,"message":"VM execution error.","data":"Reverted 0x0A"}',
  ],
};

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      says: fc.constantFrom('a' as const, 'b' as const, 'c' as const, 'revert' as const),
      way: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ says: 'late' as const }) },
  { weight: 1, arbitrary: fc.constant({ says: 'down' as const }) },
);

const pool = {
  timeoutMs: 2_000,
  attemptTimeoutMs: 1_000,
  retryShare: 0,
  hedging: { share: 0, minDelayMs: 1, maxDelayMs: 1 },
};
const breaker = { failuresInRow: 5, openMs: 1_000, openMsMax: 1_000 };
const network = NETWORKS.find(({ slug }) => slug === 'ethereum-mainnet') as Network;
const staying = { whenGone: () => () => undefined, onSent: () => undefined };

function nodeOf(index: number, does: Behaviour, turns: number): UpstreamNode {
  const post = async (body: string): Promise<AnswerBody> => {
    const { id } = JSON.parse(body) as { id: number };
    for (let i = 0; i < turns; i++) await turn();
    if (does.says === 'down') throw new UpstreamFailure('connection', 'it refused the connection');
    const said =
      does.says === 'late' ? '"error":{"code":-32000,"message":"header not found"}' : WAYS[does.says]?.[does.way];
    return { bytes: Buffer.from(`{"jsonrpc":"2.0","id":${id},${said}}`), structure: null };
  };
  return new UpstreamNode(`upstream ${index + 1}`, { post } as unknown as Upstream, false, breaker, () => undefined);
}

/** Returns the behaviour from which an answer comes; `disagreement` for the gateway's own error. */
function kindOf({ kind, bytes, start, end }: ItemAnswer): string {
  const value = JSON.parse(bytes.toString('utf8', start, end)) as { y?: number; code?: number; data?: unknown } | null;
  if (kind === 'error')
    return value?.code === -32_090 ? 'disagreement' : /0a/i.test(String(value?.data)) ? 'revert' : 'late';
  return value === null ? 'c' : value.y === 1 ? 'a' : 'b';
}

it('no answer is given that fewer nodes gave than must agree, and each that enough gave is', async () => {
  const nodesOf = fc.array(fc.record({ does: behaviour, turns: fc.nat(5) }), { minLength: 2, maxLength: 6 });
  const stage = nodesOf.chain((nodes) =>
    fc.record({
      nodes: fc.constant(nodes),
      asked: fc.integer({ min: 2, max: nodes.length }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  const seen = new Set<string>();
  const check = async ({ nodes, asked, share }: Stage): Promise<void> => {
    const agreeing = 2 + Math.floor(share * (asked - 1.000_001));
    const released: ItemAnswer[] = [];
    const reads = new AgreedReads(
      { methods: new Set(['eth_call']), nodes: asked, agreeing },
      new UpstreamPool(
        nodes.map(({ does, turns }, i) => nodeOf(i, does, turns)),
        pool,
      ),
      { network, log: null, release: (answers) => void released.push(...answers) },
    );
    const saying = (what: string): number => nodes.filter(({ does }) => does.says === what).length;
    const deadline = performance.now() + 400;
    let given: string;
    try {
      const answer = await reads.read({
        item: { method: 'eth_call', params: '[]', paramsByName: false, id: '1' },
        demand: null,
        asker: staying,
        deadline,
        record: undefined,
      });
      given = kindOf(answer);
      expect(released.map(({ bytes }) => bytes)).not.toContain(answer.bytes);
      if (given !== 'disagreement') expect(answer.agreeing).toBeGreaterThanOrEqual(agreeing);
    } catch (error) {
      if (!isUpstreamFailure(error)) throw error;
      given = 'failure';
    }
    seen.add(given);
    if (given === 'failure')
      expect(['a', 'b', 'c', 'revert'].every((what) => saying(what) < agreeing || nodes.length > asked)).toBe(true);
    else if (given === 'disagreement')
      expect(new Set(nodes.map(({ does }) => does.says).filter((says) => says !== 'down')).size).toBeGreaterThan(1);
    else expect(saying(given)).toBeGreaterThanOrEqual(agreeing);
    // If every node was asked, the answer of enough nodes is the result.
    const agreed = ['a', 'b', 'revert'].filter((what) => saying(what) >= agreeing);
    if (asked === nodes.length && agreed.length > 0)
      expect(agreed.concat(saying('c') >= agreeing ? 'c' : [])).toContain(given);
  };
  // Reads without an answer take their whole time, so fifty run at once.
  await fc.assert(
    fc.asyncProperty(fc.array(stage, { minLength: 50, maxLength: 50 }), async (stages) => {
      await Promise.all(stages.map(check));
    }),
    { seed: 35, numRuns: 20 },
  );
  expect(seen).toEqual(new Set(['a', 'b', 'c', 'revert', 'late', 'disagreement', 'failure']));
}, 120_000);
