import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { type BlockReference, HEAD_STATE } from './block-reference';
import { memberHeight, wholeHeight } from './height-finders';

const BLOCK: BlockReference = { ...HEAD_STATE, data: 'history', tells: 'head', heightIn: memberHeight('block_number') };
const HEADS: ReadonlyMap<string, BlockReference> = new Map([
  ['starknet_blockNumber', { ...HEAD_STATE, data: 'history', tells: 'head', heightIn: wholeHeight }],
  ['starknet_blockHashAndNumber', BLOCK],
]);
const TRANSACTIONS: ReadonlySet<string> = new Set([
  'starknet_getTransactionReceipt',
  'starknet_getTransactionByHash',
  'starknet_getTransactionStatus',
  'starknet_traceTransaction',
  'starknet_getMessagesStatus',
]);
const BLOCKS: ReadonlySet<string> = new Set([
  'starknet_getBlockWithTxHashes',
  'starknet_getBlockWithTxs',
  'starknet_getBlockWithReceipts',
]);
const HISTORY: ReadonlySet<string> = new Set([
  ...BLOCKS,
  'starknet_getBlockTransactionCount',
  'starknet_getEvents',
  'starknet_getStateUpdate',
  'starknet_getTransactionByBlockIdAndIndex',
]);

/** Longer params, such as contract declarations, are not parsed and count as naming no block. */
const PARAMS_LENGTH_MAX = 262_144;

export function starknetReference({ method, params }: RpcRequest): BlockReference | null {
  const head = HEADS.get(method);
  if (head) return head;
  if (TRANSACTIONS.has(method))
    return { ...BLOCK, at: 'transaction', id: feltIn(/"(0x[0-9a-fA-F]{1,64})"/.exec(params)), tells: 'block' };
  const reference = BLOCKS.has(method)
    ? BLOCK
    : HISTORY.has(method)
      ? { ...HEAD_STATE, isRange: method === 'starknet_getEvents', data: 'history' as const }
      : HEAD_STATE;
  if (params.includes('"latest"')) return reference;
  if (params.includes('"pending"') || params.includes('"pre_confirmed"')) return HEAD_STATE;
  if (params.length > PARAMS_LENGTH_MAX) return null;
  const tells = reference.tells === 'head' ? 'block' : reference.tells;
  const heights = Array.from(params.matchAll(/"block_number"\s*:\s*(\d{1,15})\s*[,}]/g), ([, height]) =>
    Number(height),
  );
  if (heights.length > 0) return { ...reference, at: 'number', height: Math.max(...heights), tells };
  const hash = feltIn(/"block_hash"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/.exec(params));
  return hash === null ? null : { ...reference, at: 'hash', id: hash, tells };
}

/** Normalizes a field element, because nodes write it with and without leading zeros. */
export function feltOf(text: string): string {
  return `0x${text.slice(2).replace(/^0+/, '').toLowerCase()}`;
}

function feltIn(found: RegExpExecArray | null): string | null {
  return found ? feltOf(found[1] as string) : null;
}
