import { type Hex, type PublicClient, toHex } from 'viem';

/** A function of a token that takes words and answers with one, such as `balanceOf(address)`. */
export interface WordFunction {
  /** The first four bytes of its calls. */
  selector: Hex;
  /** Reads an answer that is not one plain word. @returns the value after all. @throws viem's error, as `readContract` would */
  readUnusual(data: Hex): bigint;
}

const WORD = /^0x[0-9a-fA-F]{64}$/;
const WORD_DIGITS = 64;

/**
 * Asks a token for one word, in the newest block or in this one. What `readContract` finds out again for each call, by
 * hashing the function's name and walking its types, is known here: anybody can have payments refused, each of which asks.
 * @param args addresses and words, as hexadecimal digits
 * @throws viem's errors: an RpcRequestError where the node answered with one, and what `readUnusual` makes of other answers
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
