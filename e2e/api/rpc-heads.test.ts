/**
 * @not next: adapters handle answers after upstream errors like other answers.
 * @at postgres: database functions decide the charge of a call that was sent upstream twice.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { StubUpstream, type StubItem } from './harness/stub-upstream';

/** docs/upstreams.md, "Blocks do not go back": two upstreams of one network, three blocks apart. */

const BEHIND = 3;

/** Networks with two new upstreams each, of which one is ahead. */
const FRESH_NETWORKS = Array.from({ length: 10 }, (_none, index) => `heads${index}-mainnet`);

let live: LiveGateway;
let behind: StubUpstream;
let unused: string[];
/** Head of the upstream that is ahead. */
let head: number;

beforeAll(async () => {
  behind = await new StubUpstream().start();
  live = await startLiveGateway({
    rpc: { retryShare: 1 },
    networks: (stub) =>
      Object.fromEntries(
        FRESH_NETWORKS.map((slug, index) => [
          slug,
          { upstreams: index % 2 === 0 ? [stub.url(slug), behind.url(slug)] : [behind.url(slug), stub.url(slug)] },
        ]),
      ),
  });
  unused = [...FRESH_NETWORKS];
});
afterAll(async () => {
  await live?.stop();
  await behind?.stop();
});
beforeEach(() => {
  head = 1_000;
  live.stub.reset();
  behind.reset();
  live.stub.answer(at(() => head));
  behind.answer(at(() => head - BEHIND));
});

const hex = (height: number): string => `0x${height.toString(16)}`;

function at(heightNow: () => number) {
  return ({ items, batch }: { items: StubItem[]; batch: boolean }): string => {
    const answers = items.map(({ id, method }) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: method === 'eth_getBlockByNumber' ? { number: hex(heightNow()) } : hex(heightNow()),
      }),
    );
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };
}

function freshNetwork(): string {
  const network = unused.pop();
  if (network === undefined) throw new Error('More fresh networks are needed.');
  return network;
}

const newCaller = (): Promise<Caller> => live.gateway.operator.createCaller();
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const BLOCK_NUMBER = call('eth_blockNumber');
const LATEST = call('eth_getBlockByNumber', ['latest', false]);
const heightOf = ({ result }: { result: string | { number: string } }): number =>
  Number(typeof result === 'string' ? result : result.number);

async function read(body: object, network: string, as: Caller): Promise<number> {
  const answer = await live.gateway.rpc(body, { as, network });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  expect(answer.headers['x-service-rpc-credits']).toBe('20');
  return heightOf(answer.json as { result: string });
}

/** Requests that reached upstreams of any network. */
const questions = (): number => live.stub.requests.length + behind.requests.length;

describe('what one key is told of the head', () => {
  test('does not go back in 200 reads one after another, while the chain grows', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    const charged = live.gateway.books.count();
    let last = 0;
    for (let i = 0; i < 200; i++) {
      if (i % 5 === 0) head++;
      const height = await read(i % 2 === 0 ? BLOCK_NUMBER : LATEST, network, as);
      expect(height).toBeGreaterThanOrEqual(last);
      last = height;
    }
    expect(last).toBe(head);
    expect(live.gateway.books.count() - charged, 'charges').toBe(200);
    // Sometimes a call is sent twice as a trial.
    expect(questions()).toBeLessThan(220);
    expect(behind.requests.length).toBeGreaterThan(0);
  });

  test('does not go back in 200 reads of which many run at the same time', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    let told = 0;
    const reader = async (which: number): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        const before = told;
        const height = await read((which + i) % 2 === 0 ? BLOCK_NUMBER : LATEST, network, as);
        expect(height).toBeGreaterThanOrEqual(before);
        told = Math.max(told, height);
        if (i % 4 === 0) head++;
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_none, which) => reader(which)));
    expect(told).toBeGreaterThan(1_000);
  });

  test('is what its balances and nonces are of', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    for (let i = 0; i < 3; i++) await read(BLOCK_NUMBER, network, as);
    for (const params of [['0x1', 'latest'], ['0x1', 'pending'], ['0x1']])
      expect(await read(call('eth_getTransactionCount', params), network, as)).toBe(head);
    expect(
      behind.requests.flatMap(({ items }) => items).filter(({ method }) => method === 'eth_getTransactionCount'),
    ).toEqual([]);
  });

  test('binds no other account', async () => {
    const [network, one, two] = [freshNetwork(), await newCaller(), await newCaller()];
    for (let i = 0; i < 3; i++) await read(BLOCK_NUMBER, network, one);
    live.stub.answer(() => ({ status: 503 }));
    expect(await read(BLOCK_NUMBER, network, two)).toBe(head - BEHIND);
  });
});

describe('a batch', () => {
  test('tells no older block after a newer one, nor than its caller was told before', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    let last = 0;
    for (let i = 0; i < 20; i++) {
      head++;
      const batch = [BLOCK_NUMBER, LATEST, call('eth_getBalance', ['0x1', 'latest']), BLOCK_NUMBER].map((item, id) => ({
        ...item,
        id,
      }));
      const answer = await live.gateway.rpc(batch, { as, network });
      expectCharged(live.gateway, answer, 80);
      const heights = (answer.json as { id: number; result: string }[]).map(heightOf);
      expect(heights).toEqual([...heights].sort((a, b) => a - b));
      expect(heights[0]).toBeGreaterThanOrEqual(last);
      last = heights.at(-1) as number;
    }
  });

  test('whose node mixes up its blocks has them in order, and is charged once', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    for (const stub of [live.stub, behind]) {
      stub.answer(({ items, batch }) => {
        const answers = items.map(({ id, method }, index) => {
          const height = batch ? head - index : head;
          return JSON.stringify({
            jsonrpc: '2.0',
            id,
            result: method === 'eth_getBlockByNumber' ? { number: hex(height) } : hex(height),
          });
        });
        return batch ? `[${answers.reverse().join(',')}]` : (answers[0] as string);
      });
    }
    const answer = await live.gateway.rpc(
      [BLOCK_NUMBER, LATEST, BLOCK_NUMBER, LATEST].map((item, id) => ({ ...item, id })),
      { as, network },
    );
    expectCharged(live.gateway, answer, 80);
    expect((answer.json as { result: string }[]).map(heightOf)).toEqual([head, head, head, head]);
  });
});

describe('where the upstream that is ahead fails', () => {
  test('the other one answers, in bounded time, and is charged as one call', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    for (let i = 0; i < 3; i++) expect(await read(BLOCK_NUMBER, network, as)).toBeLessThanOrEqual(head);
    live.stub.answer((_request, response) => void response.destroy());
    for (let i = 0; i < 5; i++) {
      const startedAt = performance.now();
      expect(await read(BLOCK_NUMBER, network, as)).toBe(head - BEHIND);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    }
  });

  test('an absurd height that it told holds nobody', async () => {
    const [network, as] = [freshNetwork(), await newCaller()];
    for (const absurd of [
      `"0x1${'0'.repeat(15)}"`,
      `"0x${'f'.repeat(16)}"`,
      '"0x10000000000000"',
      '-1',
      'null',
      '"?"',
    ]) {
      live.stub.answer(({ items }) => `{"jsonrpc":"2.0","id":${JSON.stringify(items[0]?.id)},"result":${absurd}}`);
      await live.gateway.rpc(BLOCK_NUMBER, { as, network });
    }
    live.stub.answer(() => ({ status: 500 }));
    for (let i = 0; i < 5; i++) {
      const startedAt = performance.now();
      expect(await read(BLOCK_NUMBER, network, as)).toBe(head - BEHIND);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    }
  });
});
