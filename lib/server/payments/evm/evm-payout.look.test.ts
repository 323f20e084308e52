import { createPublicClient, custom, encodeAbiParameters, encodeEventTopics, type Hex, pad, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { USDC } from '@/test/live-configuration';
import type { Withdrawal } from '../../db/withdrawals';
import type { EvmSender } from './evm-sender';
import { EvmPayout } from './evm-payout';
import { AUTHORIZATION_ABI } from './find-execution';

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const WALLET = `0x${'ab'.repeat(20)}` as const;
const HASH = pad('0x9');
const NOW = 1_800_000_000_000;
const EXPIRES_AT = NOW + 600_000;
const LATEST = 100;
const CONFIRMATIONS = 8;

/** What the chain knows of one transfer. Blocks are a second apart, and the newest one is as old as `now`. */
interface Chain {
  /** Block that executed or cancelled it; null for none. */
  block: number | null;
  event?: 'AuthorizationUsed' | 'AuthorizationCanceled';
  status?: '0x1' | '0x0';
  /** False if the node does not know the recorded transaction. */
  isNamed?: boolean;
  now?: number;
}

function look({ block, event = 'AuthorizationUsed', status = '0x1', isNamed = true, now = NOW }: Chain) {
  const blockAt = (number: number) => ({
    number: toHex(number),
    timestamp: toHex(Math.floor(now / 1_000) - LATEST + number),
    transactions: [],
  });
  const log = (topics: readonly unknown[], data: Hex, logIndex: Hex) => ({
    address: USDC,
    topics,
    data,
    blockNumber: toHex(block ?? 0),
    transactionHash: HASH,
    transactionIndex: '0x0',
    blockHash: pad('0x7'),
    logIndex,
    removed: false,
  });
  const nonce = pad('0x5');
  const topics = encodeEventTopics({
    abi: AUTHORIZATION_ABI,
    eventName: event,
    args: { authorizer: account.address, nonce },
  });
  const transfer = encodeEventTopics({
    abi: AUTHORIZATION_ABI,
    eventName: 'Transfer',
    args: { from: account.address, to: WALLET },
  });
  const logs = [log(topics, '0x', '0x0'), log(transfer, encodeAbiParameters([{ type: 'uint256' }], [7n]), '0x1')];
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_call: ([, at]) => pad(block !== null && (at === 'latest' || Number(at) >= block) ? '0x1' : '0x0'),
    eth_getBlockByNumber: ([at]) => blockAt(at === 'latest' ? LATEST : Number(at)),
    eth_getTransactionReceipt: () =>
      isNamed && block !== null
        ? { transactionHash: HASH, blockNumber: toHex(block), status, logs, transactionIndex: '0x0' }
        : null,
    eth_getTransactionByHash: () => null,
    eth_getLogs: () => [],
  };
  const client = createPublicClient({
    transport: custom({
      request: ({ method, params }: { method: string; params: readonly unknown[] }) =>
        Promise.resolve(answers[method]?.(params)),
    }),
    cacheTime: 0,
  });
  const payout = new EvmPayout({
    config: {
      network: 'eip155:8453',
      token: { address: USDC, symbol: 'USDC', decimals: 6, name: 'USD Coin', version: '2' },
      confirmations: CONFIRMATIONS,
      gasMax: 150_000,
      logBlocksMax: 2_000,
    },
    terms: {
      network: 'eip155:8453',
      name: 'base',
      rpcNetwork: 'base-mainnet',
      asset: USDC,
      symbol: 'USDC',
      decimals: 6,
      payTo: WALLET,
    },
    client,
    account,
    sender: {} as EvmSender,
    now: () => now,
  });
  return payout.look({
    content: JSON.stringify({ signature: '0x', authorization: { from: account.address, to: WALLET, nonce } }),
    transaction_id: HASH,
    from_height: 10,
    searched_to: null,
    expires_at: EXPIRES_AT,
    tried_at: NOW,
  } as Withdrawal);
}

describe('a transfer that pays out', () => {
  it('is paid by its event alone, whatever the wallet did with the money in the same block', async () => {
    expect(await look({ block: 90 })).toEqual({ outcome: 'paid', transactionId: HASH, amountUnits: 7n });
  });

  it('is not paid before its block is deep enough', async () => {
    expect(await look({ block: LATEST - CONFIRMATIONS + 2 })).toMatchObject({
      outcome: 'possible',
      isSubmittable: false,
    });
    expect(await look({ block: LATEST - CONFIRMATIONS + 1 })).toMatchObject({ outcome: 'paid' });
  });

  it('failed if the operator cancelled it, once that is deep enough', async () => {
    expect(await look({ block: 90, event: 'AuthorizationCanceled' })).toMatchObject({ outcome: 'impossible' });
    expect(await look({ block: LATEST, event: 'AuthorizationCanceled' })).toMatchObject({ outcome: 'possible' });
  });

  it('stays open, and is not sent again, while its nonce is used but no transaction shows how', async () => {
    for (const chain of [{ isNamed: false }, { status: '0x0' }] as const)
      expect(await look({ block: 90, ...chain })).toMatchObject({ outcome: 'possible', isSubmittable: false });
  });

  it('may be sent until it expires', async () => {
    expect(await look({ block: null })).toMatchObject({ outcome: 'possible', isSubmittable: true });
  });

  it('failed only once a deep block is later than its expiry', async () => {
    const deep = (CONFIRMATIONS - 1) * 1_000;
    expect(await look({ block: null, now: EXPIRES_AT + 1_000 })).toMatchObject({
      outcome: 'possible',
      isSubmittable: false,
    });
    expect(await look({ block: null, now: EXPIRES_AT + deep })).toMatchObject({ outcome: 'impossible' });
  });
});
