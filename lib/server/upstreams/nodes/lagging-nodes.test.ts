import { createDefaultRpcTransport, createSolanaRpcFromTransport, getBase58Decoder, type Signature } from '@solana/kit';
import { Contract, FetchRequest, JsonRpcProvider, Network } from 'ethers';
import { createPublicClient, encodeEventTopics, type Hex, http, numberToHex, padHex, parseAbi } from 'viem';
import { mainnet } from 'viem/chains';
import { expect, it } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import { type AskedItem, scriptedNode, sound } from '@/test/scripted-node';

/**
 * Guarantee: public clients miss no event, receipt or transaction while two nodes overtake each other again and again.
 */

const EVENTS = 200;
const BLOCK_MS = 60;
const LAG_MS = 250;
/** Period in which a node falls behind and catches up. Its head never goes back. */
const PERIOD_MS = 2_000;
/** This process runs four clients with their gateways and nodes. Faster polls would keep it busy. */
const POLL_MS = 100;
const FIRST = 1_000;
const HEALTH = { healthChecks: { intervalMs: 1_000 } };
const ABI = parseAbi(['event Made(uint256 number)']);
const ADDRESS: Hex = '0x00000000000000000000000000000000000000aa';
const TOPICS = encodeEventTopics({ abi: ABI, eventName: 'Made' }) as Hex[];
const ZERO = padHex('0x0', { size: 32 });

const startedMs = Date.now();
/** Returns the height of a node whose lag varies between 0 and `LAG_MS`. */
const heightOf = (sign: 1 | -1): number => {
  const now = Date.now();
  const lagMs = (LAG_MS / 2) * (1 + sign * Math.sin((2 * Math.PI * now) / PERIOD_MS));
  return FIRST + Math.floor((now - startedMs - lagMs) / BLOCK_MS);
};
const hashOf = (n: number, kind = 'bb'): Hex => `0x${kind}${n.toString(16).padStart(62, '0')}`;
const transactionOf = (n: number): Hex => hashOf(n, 'aa');
const numberOf = (hash: unknown): number => Number(`0x${String(hash).slice(4)}`);

function blockOf(n: number) {
  return {
    number: numberToHex(n),
    hash: hashOf(n),
    parentHash: hashOf(n - 1),
    timestamp: numberToHex(1_700_000_000 + n),
    nonce: '0x0000000000000000',
    difficulty: '0x0',
    gasLimit: '0x1',
    gasUsed: '0x0',
    miner: ADDRESS,
    extraData: '0x',
    baseFeePerGas: '0x1',
    logsBloom: `0x${'00'.repeat(256)}`,
    sha3Uncles: ZERO,
    stateRoot: ZERO,
    receiptsRoot: ZERO,
    transactionsRoot: ZERO,
    size: '0x1',
    uncles: [],
    transactions: [transactionOf(n)],
  };
}

function logOf(n: number) {
  return {
    address: ADDRESS,
    topics: TOPICS,
    data: numberToHex(n, { size: 32 }),
    blockNumber: numberToHex(n),
    blockHash: hashOf(n),
    transactionHash: transactionOf(n),
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  };
}

function evmResult({ method, params }: AskedItem, height: number): unknown {
  const [first] = params as [unknown];
  const heightAt = (at: unknown): number => (typeof at === 'string' && at.startsWith('0x') ? Number(at) : height);
  const known = numberOf(first);
  if (method === 'eth_chainId') return '0x1';
  if (method === 'eth_blockNumber') return numberToHex(height);
  if (method === 'eth_getBlockByNumber') return heightAt(first) <= height ? blockOf(heightAt(first)) : null;
  if (method === 'eth_getBlockByHash') return known <= height ? blockOf(known) : null;
  if (method === 'eth_getTransactionByHash')
    return {
      hash: first,
      nonce: '0x0',
      from: ADDRESS,
      to: ADDRESS,
      value: '0x0',
      gas: '0x5208',
      gasPrice: '0x1',
      input: '0x',
      type: '0x0',
      v: '0x1b',
      r: ZERO,
      s: ZERO,
      ...(known <= height
        ? { blockNumber: numberToHex(known), blockHash: hashOf(known), transactionIndex: '0x0' }
        : { blockNumber: null, blockHash: null, transactionIndex: null }),
    };
  if (method === 'eth_getTransactionReceipt')
    return known <= height
      ? {
          transactionHash: first,
          blockNumber: numberToHex(known),
          blockHash: hashOf(known),
          transactionIndex: '0x0',
          from: ADDRESS,
          to: ADDRESS,
          status: '0x1',
          type: '0x0',
          gasUsed: '0x1',
          cumulativeGasUsed: '0x1',
          effectiveGasPrice: '0x1',
          logs: [logOf(known)],
          logsBloom: `0x${'00'.repeat(256)}`,
          contractAddress: null,
        }
      : null;
  const { fromBlock, toBlock } = first as { fromBlock?: string; toBlock?: string };
  const [from, to] = [heightAt(fromBlock), Math.min(heightAt(toBlock), height)];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => logOf(from + index));
}

const laggingNode = (sign: 1 | -1, result: (item: AskedItem, height: number) => unknown) =>
  scriptedNode(sound((item) => JSON.stringify(result(item, heightOf(sign)))));

async function gatewayOf(result: (item: AskedItem, height: number) => unknown, network?: string) {
  const nodes = [await laggingNode(1, result), await laggingNode(-1, result)];
  return rpcGateway(
    nodes.map(({ url }) => url),
    HEALTH,
    network,
  );
}

/** Waits for `EVENTS` numbers and expects that none is missing. */
async function expectAll(heard: () => readonly number[]): Promise<void> {
  await expect.poll(() => heard().length, { timeout: 110_000, interval: 100 }).toBeGreaterThanOrEqual(EVENTS);
  const numbers = heard().slice(0, EVENTS);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
}

/** Like Promise.all, but waits for all even if one fails, so that none goes on after the test. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function viemClient(retryCount: number) {
  const { url, headers } = await gatewayOf(evmResult);
  return createPublicClient({
    chain: mainnet,
    transport: http(url, { fetchOptions: { headers }, retryCount, timeout: 60_000 }),
    pollingInterval: POLL_MS,
    cacheTime: 0,
  });
}

async function viemWatchesEvents(): Promise<void> {
  const client = await viemClient(1);
  const numbers: number[] = [];
  const faults: Error[] = [];
  const stop = client.watchEvent({
    address: ADDRESS,
    event: ABI[0],
    onLogs: (logs) => logs.forEach(({ args }) => numbers.push(Number(args.number))),
    onError: (error) => faults.push(error),
  });
  await expectAll(() => numbers).finally(stop);
  expect(faults.map(String)).toEqual([]);
}

async function viemWaitsForReceipts(): Promise<void> {
  const client = await viemClient(0);
  const from = heightOf(1) + 10;
  const receipts = Array.from({ length: EVENTS }, async (_, index) => {
    const n = from + index;
    await new Promise((resolve) => setTimeout(resolve, startedMs + (n - FIRST - 3) * BLOCK_MS - Date.now()));
    return client.waitForTransactionReceipt({ hash: transactionOf(n), timeout: 90_000 });
  });
  expect((await all(receipts)).map(({ blockNumber }) => Number(blockNumber))).toEqual(
    receipts.map((_, index) => from + index),
  );
}

async function ethersHearsEvents(): Promise<void> {
  const { url, headers } = await gatewayOf(evmResult);
  const request = new FetchRequest(url);
  request.setHeader('authorization', headers.authorization);
  const ask = FetchRequest.createGetUrlFunc();
  let asking = 0;
  request.getUrlFunc = async (...asked) => {
    asking++;
    try {
      return await ask(...asked);
    } finally {
      asking--;
    }
  };
  const network = Network.from(1);
  const provider = new JsonRpcProvider(request, network, {
    staticNetwork: network,
    polling: true,
    cacheTimeout: -1,
    pollingInterval: POLL_MS,
  });
  // A Set, because ethers reports some events twice: it asks for a block again while its last request still runs.
  const numbers = new Set<number>();
  const contract = new Contract(ADDRESS, ['event Made(uint256 number)'], provider);
  await contract.on('Made', (number: bigint) => numbers.add(Number(number)));
  try {
    await expectAll(() => [...numbers].sort((a, b) => a - b));
  } finally {
    await contract.off('Made');
    // Waits until the last requests are answered.
    await expect.poll(() => asking, { timeout: 30_000 }).toBe(0);
  }
}

const CONFIRMED_AFTER_SLOTS = 2;
const signatureOf = (n: number): Signature =>
  getBase58Decoder().decode(
    Uint8Array.from({ length: 64 }, (_, index) => (index === 0 ? 1 + (n & 127) : (n * (index + 7)) & 255)),
  ) as Signature;
const slots = new Map<string, number>();

function solanaResult({ method, params }: AskedItem, slot: number): unknown {
  const [first] = params as [unknown];
  const context = { slot };
  if (method === 'getSignatureStatuses') {
    const value = (first as string[]).map((signature) => {
      const at = slots.get(signature) ?? Infinity;
      return at > slot
        ? null
        : {
            slot: at,
            confirmations: slot - at,
            err: null,
            status: { Ok: null },
            confirmationStatus: slot - at >= CONFIRMED_AFTER_SLOTS ? 'confirmed' : 'processed',
          };
    });
    return { context, value };
  }
  if (method === 'getTransaction') {
    const at = slots.get(String(first)) ?? Infinity;
    return at + CONFIRMED_AFTER_SLOTS > slot
      ? null
      : { slot: at, blockTime: 1_700_000_000, meta: null, version: 0, transaction: ['', 'base64'] };
  }
  return slot;
}

/** Finds transactions as soon as they are reported as confirmed. */
async function kitFindsTransactions(): Promise<void> {
  const { url, headers } = await gatewayOf(solanaResult, 'solana-mainnet');
  const rpc = createSolanaRpcFromTransport(
    createDefaultRpcTransport({ url, headers: { authorization: headers.authorization } }),
  );
  const from = heightOf(1) + 10;
  const found = Array.from({ length: EVENTS }, async (_, index) => {
    const signature = signatureOf(from + index);
    slots.set(signature, from + index);
    await new Promise((resolve) => setTimeout(resolve, startedMs + (from + index - FIRST) * BLOCK_MS - Date.now()));
    for (let asked = 0; asked < 100; asked++) {
      const { value } = await rpc.getSignatureStatuses([signature]).send();
      if (value[0]?.confirmationStatus === 'confirmed')
        return (
          (
            await rpc
              .getTransaction(signature, {
                commitment: 'confirmed',
                encoding: 'base64',
                maxSupportedTransactionVersion: 0,
              })
              .send()
          )?.slot ?? null
        );
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return null;
  });
  expect((await all(found)).map(Number)).toEqual(found.map((_, index) => from + index));
}

// One test runs all clients, because cleanup hooks attach to the current test, and concurrent tests would mix them up.
it('viem, ethers and kit find 200 events, receipts and transactions each', { timeout: 240_000 }, async () => {
  await all([viemWatchesEvents(), viemWaitsForReceipts(), ethersHearsEvents(), kitFindsTransactions()]);
});
