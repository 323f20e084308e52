import fc from 'fast-check';
import { keccak256, recoverTransactionAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AgreementSettings } from '../upstreams/nodes/agreement/agreement-round';
import {
  BlockFollower,
  type Caller,
  HeadReader,
  Historian,
  RangeIndexer,
  type Stage,
  Wallet,
} from '@/test/simulation/callers';
import { Chain, type ChainSettings, type Random, randomOf } from '@/test/simulation/chain';
import { SimulatedGateway } from '@/test/simulation/gateway';
import { type NodeTraits, SimulatedNode } from '@/test/simulation/node';
import { VirtualTime } from '@/test/simulation/virtual-time';

/**
 * Several nodes that act like one: 20 callers, 2 to 4 nodes with lag, reorganizations, pruned state, rate limits and
 * absurd heights. `SIMULATION_STEPS` sets the length and `SIMULATION_SEED` the scenarios.
 */

const STEPS = Number(process.env.SIMULATION_STEPS ?? 10_000);
const SEED = Number(process.env.SIMULATION_SEED ?? 35);
const STEPS_PER_RUN = 500;
const CALLERS = 20;
const WALLETS = 5;
const SENDS_MAX = 30;

interface Scenario {
  seed: number;
  chain: ChainSettings;
  nodes: NodeTraits[];
}

const ARCHIVE: Pick<NodeTraits, 'stateBlocks' | 'lyingShare'> = { stateBlocks: Infinity, lyingShare: 0 };

/** Returns a share of requests, often 0. @param max in thousandths */
const share = (max: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max }).map((thousandths) => thousandths / 1_000),
  );

const traits: fc.Arbitrary<NodeTraits> = fc.record({
  lagMs: fc.integer({ min: 0, max: 900 }),
  latencyMs: fc.integer({ min: 2, max: 80 }),
  stateBlocks: fc.constantFrom(16, 128, Infinity),
  rangeBlocks: fc.constantFrom(30, 100, 10_000),
  limitedShare: share(50),
  brokenShare: share(30),
  lyingShare: share(50),
  falseShare: fc.constant(0),
});

const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    chain: fc.record({ blockMs: fc.constantFrom(400, 1_000, 2_000), reorgShare: fc.constantFrom(0, 0.05, 0.15) }),
    nodes: fc.array(traits, { minLength: 2, maxLength: 4 }),
  })
  // One node has all state and is honest. With only two nodes none lies, because nothing would tell which one.
  .map(({ nodes: [first, ...others], ...scenario }) => ({
    ...scenario,
    nodes: [
      { ...(first as NodeTraits), ...ARCHIVE },
      ...others.map((node, i) => (others.length < 2 || i > 0 ? { ...node, lyingShare: 0 } : node)),
    ],
  }));

let signed: { address: string; transactions: { raw: string; hash: string }[] }[] = [];

beforeAll(async () => {
  signed = await Promise.all(
    Array.from({ length: WALLETS }, async (_none, wallet) => {
      const account = privateKeyToAccount(`0x${(wallet + 1).toString(16).padStart(64, '1')}`);
      const transactions = await Promise.all(
        Array.from({ length: SENDS_MAX }, async (_nothing, nonce) => {
          const raw = await account.signTransaction({
            chainId: 1,
            type: 'eip1559',
            nonce,
            to: account.address,
            value: 1n,
            gas: 21_000n,
            maxFeePerGas: 1n,
          });
          return { raw, hash: keccak256(raw) };
        }),
      );
      return { address: account.address, transactions };
    }),
  );
  // Loads the code that recovers senders, which takes real time.
  await recoverTransactionAddress({ serializedTransaction: signed[0]?.transactions[0]?.raw as `0x02${string}` });
});

afterEach(() => vi.restoreAllMocks());

function callerOf(stage: Stage): Caller {
  const { accountId } = stage;
  if (stage.mayDisagree) return accountId < 10 ? new Historian(stage) : new RangeIndexer(stage, 6);
  if (accountId < WALLETS) return new Wallet(stage);
  if (accountId < 9) return new RangeIndexer(stage, 0);
  if (accountId < 11) return new RangeIndexer(stage, 6);
  if (accountId < 15) return new BlockFollower(stage);
  return accountId < 18 ? new HeadReader(stage) : new Historian(stage);
}

/** Runs a scenario. @returns the violated guarantees */
async function violationsOf(
  { seed, chain: settings, nodes: traitsOfNodes }: Scenario,
  steps: number,
  agreement: AgreementSettings | null = null,
): Promise<string[]> {
  const time = new VirtualTime();
  const random: Random = randomOf(seed);
  vi.spyOn(Math, 'random').mockImplementation(randomOf(seed + 1));
  try {
    const chain = new Chain(random, settings);
    const senders = new Map(
      signed.flatMap(({ address, transactions }) => transactions.map(({ raw }) => [raw, address.toLowerCase()])),
    );
    const nodes = traitsOfNodes.map((node) => new SimulatedNode(chain, node, random, senders));
    const gateway = new SimulatedGateway(nodes, agreement);
    const violations = new Set<string>();
    const isCalm = traitsOfNodes.every(({ limitedShare, brokenShare }) => limitedShare + brokenShare === 0);
    let [left, acting] = [steps, 0];
    void gateway.checkNodes();
    const callers = Array.from({ length: CALLERS }, (_none, accountId) => {
      const { address, transactions } = signed[accountId % WALLETS] as (typeof signed)[number];
      const violated = (what: string): void =>
        void violations.add(`${what} (caller ${accountId}, at ${Math.round(time.now)} ms)`);
      return callerOf({
        chain,
        gateway,
        random,
        accountId,
        address,
        signed: transactions,
        isCalm: isCalm && !agreement,
        mayDisagree: agreement !== null,
        violated,
      });
    });
    const live = async (caller: Caller): Promise<void> => {
      acting++;
      while (left-- > 0) {
        await time.sleep(random() * 500);
        await caller.act();
      }
      acting--;
    };
    const lives = Promise.all(callers.map(live));
    await time.until(() => acting === 0);
    await lives;
    for (const caller of callers) caller.conclude();
    for (const what of gateway.wrongCharges) violations.add(what);
    for (const [hash] of nodes.flatMap(({ arrived }) => [...arrived])) {
      const times = nodes.reduce((sum, { arrived }) => sum + (arrived.get(hash) ?? 0), 0);
      if (times > 1) violations.add(`the transaction ${hash} was sent ${times} times`);
    }
    return [...violations];
  } finally {
    time.restore();
    vi.restoreAllMocks();
  }
}

describe('over several nodes', { timeout: 600_000 }, () => {
  it('no caller sees the chain go back, misses what it was told of, loses an event, sends twice or pays twice', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        expect(await violationsOf(scenario, STEPS_PER_RUN)).toEqual([]);
      }),
      { seed: SEED, numRuns: Math.ceil(STEPS / STEPS_PER_RUN), endOnFailure: true },
    );
  });

  it('of which two of three must agree, no false balance and no list that lacks logs reaches a caller', async () => {
    const agreement = { methods: new Set(['eth_getBalance', 'eth_getLogs']), nodes: 3, agreeing: 2 };
    const honest = traits.map((node) => ({ ...node, ...ARCHIVE }));
    const lying = fc
      .record({ node: honest, falseShare: fc.integer({ min: 1, max: 10 }) })
      .map(({ node, falseShare }) => ({ ...node, falseShare: falseShare / 10 }));
    const withLiar: fc.Arbitrary<Scenario> = fc.record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      chain: fc.record({ blockMs: fc.constantFrom(400, 1_000, 2_000), reorgShare: fc.constantFrom(0, 0.05) }),
      nodes: fc.tuple(lying, honest, honest),
    });
    await fc.assert(
      fc.asyncProperty(withLiar, async (scenario) => {
        expect(await violationsOf(scenario, STEPS_PER_RUN, agreement)).toEqual([]);
      }),
      { seed: SEED, numRuns: Math.ceil(STEPS / STEPS_PER_RUN / 4), endOnFailure: true },
    );
  });
});
