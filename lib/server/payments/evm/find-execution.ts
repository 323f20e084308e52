import { type Hex, isAddressEqual, pad, parseAbi, parseEventLogs, type PublicClient, toEventSelector, toHex, type TransactionReceipt } from 'viem';

export const AUTHORIZATION_ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** An authorization as the chain knows it (EIP-3009): by token, signer and nonce. */
export interface AuthorizationKey {
  token: `0x${string}`;
  from: `0x${string}`;
  nonce: Hex;
}

/** What became of an authorization: which transaction used it, and what that moved, or that it was cancelled. */
export type Execution = { transactionId: Hex; block: bigint; to: `0x${string}`; value: bigint } | 'cancelled';

const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');

const SEARCHES_MAX = 50;

/** Whether the nonce is used or cancelled. */
export function isAuthorizationSpent(client: PublicClient, { token, from, nonce }: AuthorizationKey): Promise<boolean> {
  return client.readContract({ address: token, abi: AUTHORIZATION_ABI, functionName: 'authorizationState', args: [from, nonce] });
}

/** What one transaction did with an authorization; null if nothing, or if it is not in a block. */
export async function executionIn(client: PublicClient, hash: Hex, key: AuthorizationKey): Promise<Execution | null> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: Error) => {
    if (error.name === 'TransactionReceiptNotFoundError') return null;
    throw error;
  });
  return receipt && readReceipt(receipt, key);
}

/**
 * Searches the logs for what became of a spent authorization, whoever submitted it.
 * @returns null where neither a use nor a cancellation is found.
 */
export async function findExecution(client: PublicClient, key: AuthorizationKey, fromBlock: bigint, toBlock: bigint, blocksMax: bigint): Promise<Execution | null> {
  for (let searches = 0, from = fromBlock; from <= toBlock && searches < SEARCHES_MAX; searches++, from += blocksMax) {
    const end = from + blocksMax - 1n;
    const logs = await client.request({
      method: 'eth_getLogs',
      params: [{ address: key.token, topics: [[USED, CANCELED], pad(key.from), key.nonce], fromBlock: toHex(from), toBlock: toHex(end < toBlock ? end : toBlock) }],
    });
    const hash = logs[0]?.transactionHash;
    if (hash) return executionIn(client, hash, key);
  }
  return null;
}

/**
 * The token's very next event after AuthorizationUsed is the Transfer that belongs to it. Any other Transfer of the
 * same transaction may belong to another authorization, which is somebody's payment of its own.
 */
function readReceipt({ logs, status, transactionHash, blockNumber }: TransactionReceipt, key: AuthorizationKey): Execution | null {
  if (status !== 'success') return null;
  const ofToken = logs.filter(({ address }) => isAddressEqual(address, key.token)).sort((a, b) => a.logIndex - b.logIndex);
  const events = parseEventLogs({ abi: AUTHORIZATION_ABI, logs: ofToken, strict: true });
  const index = events.findIndex((event) => event.eventName !== 'Transfer' && isKey(event.args, key));
  const event = events[index];
  if (!event) return null;
  if (event.eventName === 'AuthorizationCanceled') return 'cancelled';
  const next = events[index + 1];
  if (next?.eventName !== 'Transfer' || !isAddressEqual(next.args.from, key.from)) return null;
  return { transactionId: transactionHash, block: blockNumber, to: next.args.to, value: next.args.value };
}

function isKey(args: { authorizer?: `0x${string}`; nonce?: Hex }, { from, nonce }: AuthorizationKey): boolean {
  return args.authorizer !== undefined && isAddressEqual(args.authorizer, from) && args.nonce?.toLowerCase() === nonce;
}
