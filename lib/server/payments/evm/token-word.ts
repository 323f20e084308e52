import { type Hex, type PublicClient, toHex } from 'viem';

/** Token function that takes 32-byte words and returns one word, such as `balanceOf(address)`. */
export interface WordFunction {
  /** First four bytes of the call data. */
  selector: Hex;
  /** Reads an answer that is not a plain word. @throws viem's error, as `readContract` would */
  readUnusual(data: Hex): bigint;
}

const WORD = /^0x[0-9a-fA-F]{64}$/;
const WORD_DIGITS = 64;

/**
 * Reads one word from a token at a block, by default the newest. Faster than `readContract`. Speed matters, because
 * anyone can cause this request with a refused payment.
 *
 * @param args addresses and words, as hexadecimal digits
 * @throws viem's errors: RpcRequestError if the node answered with an error, those of `readUnusual` for other answers
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
