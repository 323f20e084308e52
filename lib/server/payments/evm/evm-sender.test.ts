import { type Hex, parseTransaction, type PublicClient, RpcRequestError } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignerTurns } from '../signer-turns';
import { EvmSender } from './evm-sender';

const CALL = { to: '0x00000000000000000000000000000000000000aa', data: '0x' } as const;
const GAS_MAX = 100_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Node with a pool of transactions, which mines those whose fee is high enough. */
class Node {
  mined = 0;
  fee = 100n;
  readonly pool = new Map<number, bigint>();

  readonly client = {
    estimateGas: () => Promise.resolve(50_000n),
    estimateFeesPerGas: () => Promise.resolve({ maxFeePerGas: this.fee, maxPriorityFeePerGas: 1n }),
    getTransactionCount: ({ blockTag }: { blockTag: string }) =>
      Promise.resolve(blockTag === 'pending' ? this.#pending() : this.mined),
    sendRawTransaction: ({ serializedTransaction }: { serializedTransaction: Hex }) => {
      const { nonce = 0, maxFeePerGas = 0n } = parseTransaction(serializedTransaction);
      const known = this.pool.get(nonce);
      if (nonce < this.mined || (known !== undefined && maxFeePerGas < (known * 110n) / 100n))
        throw new RpcRequestError({
          body: {},
          url: 'http://node',
          error: { code: -32000, message: 'replacement transaction underpriced' },
        });
      this.pool.set(nonce, maxFeePerGas);
      return Promise.resolve('0x');
    },
  } as unknown as PublicClient;

  mine(): void {
    for (let fee = this.pool.get(this.mined); fee !== undefined && fee >= this.fee; fee = this.pool.get(this.mined))
      this.pool.delete(this.mined++);
  }

  #pending(): number {
    let next = this.mined;
    while (this.pool.has(next)) next++;
    return next;
  }
}

function senderOn({ client }: Node): { send: () => Promise<Hex> } {
  let last = { nextNonce: 0, usedAt: 0 };
  const turns = {
    take: async (_key: string, send: (before: typeof last) => Promise<{ nextNonce: number; result: unknown }>) => {
      const { nextNonce, result } = await send(last);
      last = { nextNonce, usedAt: Date.now() };
      return result;
    },
  } as unknown as SignerTurns;
  const sender = new EvmSender(privateKeyToAccount(generatePrivateKey()), client, 1, turns);
  return { send: () => sender.send(CALL, GAS_MAX, () => Promise.resolve()) };
}

it('replaces a stuck transaction also while others follow it all the time, and none of those is refused', async () => {
  const node = new Node();
  const { send } = senderOn(node);
  await send();
  node.fee = 120n;
  for (let i = 0; i < 6; i++) {
    vi.setSystemTime(Date.now() + 25_000);
    await send();
  }
  node.mine();
  expect(node.pool.size).toBe(0);
  expect(node.mined).toBe(6);
});

it('replaces none that is not stuck, however many wait', async () => {
  const node = new Node();
  const { send } = senderOn(node);
  await send();
  for (let i = 0; i < 20; i++) {
    vi.setSystemTime(Date.now() + 25_000);
    await send();
    node.pool.delete(node.mined++);
  }
  expect([node.mined, [...node.pool.keys()]]).toEqual([20, [20]]);
});

it('goes on behind a replacement if the others were dropped', async () => {
  const node = new Node();
  const { send } = senderOn(node);
  for (let i = 0; i < 3; i++) await send();
  node.pool.clear();
  vi.setSystemTime(Date.now() + 61_000);
  for (let i = 0; i < 3; i++) await send();
  node.mine();
  expect(node.mined).toBe(3);
});
