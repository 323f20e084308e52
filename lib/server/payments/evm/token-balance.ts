import {
  decodeFunctionResult,
  erc20Abi,
  type Hex,
  pad,
  parseAbi,
  type PublicClient,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem';
import { isRefusal } from './evm-sender';

const BALANCE_OF: WordFunction = {
  selector: toFunctionSelector('balanceOf(address)'),
  readUnusual: (data) => decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data }),
};

/**
 * Returns an ERC-20 balance at the newest block, in base units.
 * @throws viem's errors (see `tokenWord`)
 */
export function tokenBalance(client: PublicClient, token: `0x${string}`, owner: `0x${string}`): Promise<bigint> {
  return tokenWord(client, token, BALANCE_OF, [owner]);
}

/** A token's function that takes 32-byte words and returns one word, such as `balanceOf(address)`. */
export interface WordFunction {
  selector: Hex;
  /** Decodes an answer that is not exactly one word. @throws the error that viem's `readContract` would throw */
  readUnusual(data: Hex): bigint;
}

const WORD = /^0x[0-9a-fA-F]{64}$/;
const WORD_DIGITS = 64;

/**
 * Calls a token's function at a block (default: the newest) and returns the resulting word. This is faster than
 * `readContract`. Speed matters, because anyone can cause this call with an invalid payment.
 *
 * @param args arguments as hexadecimal digits: addresses or words
 * @throws viem's errors: RpcRequestError if the node answered with an error, or an error from `readUnusual`
 */
export async function tokenWord(
  client: PublicClient,
  token: `0x${string}`,
  { selector, readUnusual }: WordFunction,
  args: readonly Hex[],
  blockNumber?: bigint,
): Promise<bigint> {
  const data =
    `${selector}${args.map((arg) => arg.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')).join('')}` as const;
  const answer: Hex | null = await client.request({
    method: 'eth_call',
    params: [{ to: token, data }, blockNumber === undefined ? 'latest' : toHex(blockNumber)],
  });
  return answer !== null && WORD.test(answer) ? BigInt(answer) : readUnusual(answer ?? '0x');
}

const BALANCE_ABI = parseAbi(['function balanceOf(address) view returns (uint256)']);
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');

interface ToldTransfer {
  token: `0x${string}`;
  receiver: `0x${string}`;
  block: bigint;
  value: bigint;
}

/**
 * Returns how much of a transfer arrived, which is normally the amount in the event. If the receiver gained less in the
 * block than the sum of the events, the token takes a fee or reports false amounts. Each transfer then gets its share
 * of the gain, rounded down. If the node does not have that block's balances, the gateway trusts the event.
 *
 * @throws the client's error if the chain does not answer
 */
export async function receiverGain(client: PublicClient, transfer: ToldTransfer): Promise<bigint> {
  const { token, receiver, block, value } = transfer;
  const balanceAt = (blockNumber: bigint): Promise<bigint> =>
    client.readContract({ address: token, abi: BALANCE_ABI, functionName: 'balanceOf', args: [receiver], blockNumber });
  const balances = await Promise.all([balanceAt(block - 1n), balanceAt(block)]).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  if (!balances) return value;
  const [before, after] = balances;
  const [told, left] = await Promise.all([
    sumOfTransfers(client, transfer, [null, pad(receiver)]),
    sumOfTransfers(client, transfer, [pad(receiver), null]),
  ]);
  const cameIn = after - before + left;
  if (cameIn >= told) return value;
  return cameIn <= 0n || told === 0n ? 0n : (value * cameIn) / told;
}

async function sumOfTransfers(
  client: PublicClient,
  { token, block }: ToldTransfer,
  [from, to]: readonly [Hex | null, Hex | null],
): Promise<bigint> {
  const at = toHex(block);
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address: token, topics: [TRANSFER, from, to], fromBlock: at, toBlock: at }],
  });
  return logs.reduce((sum, { data }) => sum + (/^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : 0n), 0n);
}
