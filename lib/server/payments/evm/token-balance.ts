import { decodeFunctionResult, erc20Abi, type PublicClient, toFunctionSelector } from 'viem';
import { tokenWord, type WordFunction } from './token-word';

const BALANCE_OF: WordFunction = {
  selector: toFunctionSelector('balanceOf(address)'),
  readUnusual: (data) => decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data }),
};

/** Reads an ERC-20 balance, in base units, in the newest block. @throws viem's errors (see `tokenWord`) */
export function tokenBalance(client: PublicClient, token: `0x${string}`, owner: `0x${string}`): Promise<bigint> {
  return tokenWord(client, token, BALANCE_OF, [owner]);
}
