import {
  decodeFunctionResult,
  type Hex,
  isAddressEqual,
  pad,
  parseAbi,
  parseEventLogs,
  type PublicClient,
  size,
  toEventSelector,
  toFunctionSelector,
  toHex,
  type TransactionReceipt,
} from 'viem';
import { tokenWord, type WordFunction } from './token-balance';

export const AUTHORIZATION_ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** Values that identify an EIP-3009 authorization on its chain. */
export interface AuthorizationKey {
  token: `0x${string}`;
  from: `0x${string}`;
  nonce: Hex;
}

/** Execution of an authorization. `to` is null if the authorization was cancelled. */
export interface Execution {
  transactionId: Hex;
  block: bigint;
  to: `0x${string}` | null;
  value: bigint;
}

const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');

const WORD_BYTES = 32;
/** Maximum log searches per lookup. The next lookup continues the search. */
const SEARCHES_MAX = 10;

const readState = (data: Hex): bigint =>
  BigInt(decodeFunctionResult({ abi: AUTHORIZATION_ABI, functionName: 'authorizationState', data }));
const AUTHORIZATION_STATE: WordFunction = {
  selector: toFunctionSelector('authorizationState(address,bytes32)'),
  readUnusual: readState,
};

/**
 * Returns whether an authorization was used or cancelled as of a block, by default the newest.
 * @throws viem's errors (see `tokenWord`)
 */
export async function isAuthorizationSpent(
  client: PublicClient,
  { token, from, nonce }: AuthorizationKey,
  blockNumber?: bigint,
): Promise<boolean> {
  const state = await tokenWord(client, token, AUTHORIZATION_STATE, [from, nonce], blockNumber);
  return (state > 1n ? readState(toHex(state, { size: WORD_BYTES })) : state) === 1n;
}

/** Returns how a transaction executed an authorization; null if it did not, or is not in a block. */
export async function executionIn(
  client: PublicClient,
  hash: Hex,
  key: AuthorizationKey,
): Promise<Execution | 'reverted' | null> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: Error) => {
    if (error.name === 'TransactionReceiptNotFoundError') return null;
    throw error;
  });
  if (receipt?.status === 'reverted') return 'reverted';
  return receipt && readReceipt(receipt, key);
}

/** Returns whether a node knows a transaction, mined or pending. */
export async function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) !== null;
}

interface Search {
  execution: Execution | null;
  searchedTo: bigint;
}

/**
 * Searches the logs for the execution of an authorization whose nonce is used. Anyone may have submitted the
 * authorization. Stops at the limits of one lookup, and returns the last searched block as `searchedTo`.
 */
export async function findExecution(
  client: PublicClient,
  key: AuthorizationKey,
  fromBlock: bigint,
  toBlock: bigint,
  blocksMax: bigint,
): Promise<Search> {
  let from = fromBlock;
  for (let searches = 0; from <= toBlock && searches < SEARCHES_MAX; searches++) {
    const end = from + blocksMax - 1n < toBlock ? from + blocksMax - 1n : toBlock;
    const logs = await client.request({
      method: 'eth_getLogs',
      params: [
        {
          address: key.token,
          topics: [[USED, CANCELED], pad(key.from), key.nonce],
          fromBlock: toHex(from),
          toBlock: toHex(end),
        },
      ],
    });
    const hash = logs[0]?.transactionHash;
    const execution = hash ? await executionIn(client, hash, key) : null;
    if (execution && execution !== 'reverted') return { execution, searchedTo: from - 1n };
    // The node has the log, but not yet the receipt. The next lookup searches this range again.
    if (hash) break;
    from = end + 1n;
  }
  return { execution: null, searchedTo: from - 1n };
}

/**
 * Reads the execution of an authorization from a transaction's receipt. Only the Transfer right after AuthorizationUsed
 * belongs to the authorization.
 *
 * @returns null if the receipt does not contain the authorization, or if its Transfer is not from the payer
 */
export function readReceipt(
  {
    logs,
    status,
    transactionHash,
    blockNumber,
  }: Pick<TransactionReceipt, 'logs' | 'status' | 'transactionHash' | 'blockNumber'>,
  key: AuthorizationKey,
): Execution | null {
  if (status !== 'success') return null;
  const ofToken = logs
    .filter(({ address }) => isAddressEqual(address, key.token))
    .sort((a, b) => a.logIndex - b.logIndex);
  const events = parseEventLogs({ abi: AUTHORIZATION_ABI, logs: ofToken, strict: true });
  const index = events.findIndex((event) => event.eventName !== 'Transfer' && isKey(event.args, key));
  const event = events[index];
  if (!event) return null;
  if (event.eventName === 'AuthorizationCanceled')
    return { transactionId: transactionHash, block: blockNumber, to: null, value: 0n };
  const next = events[index + 1];
  if (next?.eventName !== 'Transfer' || size(next.data) !== WORD_BYTES || !isAddressEqual(next.args.from, key.from))
    return null;
  return { transactionId: transactionHash, block: blockNumber, to: next.args.to, value: next.args.value };
}

function isKey(args: { authorizer?: `0x${string}`; nonce?: Hex }, { from, nonce }: AuthorizationKey): boolean {
  return args.authorizer !== undefined && isAddressEqual(args.authorizer, from) && args.nonce?.toLowerCase() === nonce;
}
