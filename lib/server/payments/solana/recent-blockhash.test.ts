import { setImmediate as nextTurn } from 'node:timers/promises';
import { base58 } from '@scure/base';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testAddress } from '@/test/solana-messages';
import { RecentBlockhash } from './recent-blockhash';
import { SolanaNode } from './solana-node';

const HINTS = { recentBlockhash: testAddress(7), lastValidBlockHeight: '291470237' };

interface Answer {
  context: { slot: number };
  value: Record<string, unknown>;
}

const answer = (value: Record<string, unknown> = {}): Answer => ({
  context: { slot: 1 },
  value: { blockhash: testAddress(7), lastValidBlockHeight: 291_470_237, ...value },
});

/** Returns a source of recent blockhashes over a node with this answer. `asked` counts the node's reads. */
function recentOf(rpc: () => Promise<unknown>) {
  const node = { asked: 0 };
  const recent = new RecentBlockhash(
    new SolanaNode(() => {
      node.asked++;
      return rpc();
    }),
    Date.now,
  );
  onTestFinished(() => recent.close());
  return { recent, node };
}

describe('the recent blockhash of a 402', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is absent until the node has answered, which no 402 waits for', async () => {
    let reply: (value: unknown) => void = () => undefined;
    const { recent, node } = recentOf(() => new Promise((resolve) => (reply = resolve)));
    expect([recent.hints(), recent.hints(), node.asked]).toEqual([{}, {}, 1]);
    reply(answer());
    await nextTurn();
    expect(recent.hints()).toEqual(HINTS);
  });

  it('is read again every ten seconds, however many 402s are answered, and no longer when none are', async () => {
    const { recent, node } = recentOf(() => Promise.resolve(answer()));
    recent.hints();
    await vi.advanceTimersByTimeAsync(35_000);
    for (let each = 0; each < 100; each++) recent.hints();
    expect(node.asked).toBe(4);
    await vi.advanceTimersByTimeAsync(3_600_000);
    const before = node.asked;
    expect(before).toBeLessThan(40);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(node.asked).toBe(before);
    expect(recent.hints()).toEqual({});
    await nextTurn();
    expect(recent.hints()).toEqual(HINTS);
  });

  it('is absent again once the node has not answered for half a minute, and returns with the node', async () => {
    const node = { isDown: false };
    const { recent } = recentOf(() => (node.isDown ? Promise.reject(new Error('down')) : Promise.resolve(answer())));
    recent.hints();
    await nextTurn();
    node.isDown = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(recent.hints()).toEqual(HINTS);
    await vi.advanceTimersByTimeAsync(1);
    expect(recent.hints()).toEqual({});
    node.isDown = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(recent.hints()).toEqual(HINTS);
  });

  it.each([
    ['too short', { blockhash: base58.encode(new Uint8Array(31).fill(1)) }],
    ['too long', { blockhash: base58.encode(new Uint8Array(33).fill(1)) }],
    ['not base58', { blockhash: '0'.repeat(44) }],
    ['missing', { blockhash: undefined }],
    ['without a height', { lastValidBlockHeight: undefined }],
    ['with an invalid height', { lastValidBlockHeight: -1 }],
  ])('is absent if the node answers with one that is %s', async (_, value) => {
    const { recent } = recentOf(() => Promise.resolve(answer(value)));
    recent.hints();
    await nextTurn();
    expect(recent.hints()).toEqual({});
  });

  it('is not read after closing', async () => {
    const { recent, node } = recentOf(() => Promise.resolve(answer()));
    recent.hints();
    await nextTurn();
    recent.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(node.asked).toBe(1);
  });
});
