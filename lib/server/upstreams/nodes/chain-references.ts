import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { ChainKind } from '@/lib/protocol/networks';
import {
  type BlockReference,
  contextSlot,
  HEAD_STATE,
  type HeightFinder,
  memberHeight,
  NO_HEIGHT_FINDER,
  wholeHeight,
} from './block-reference';
import { evmReference } from './evm-references';
import { commitmentOf, HEAD_COMMITMENTS } from './head-height';

const byCommitment = (heightIn: HeightFinder): readonly BlockReference[] =>
  HEAD_COMMITMENTS.map((commitment) => ({
    ...HEAD_STATE,
    commitment,
    tells: heightIn === NO_HEIGHT_FINDER ? 'nothing' : 'head',
    heightIn,
  }));

const IN_CONTEXT = byCommitment(contextSlot);
const UNTOLD = byCommitment(NO_HEIGHT_FINDER);
const SOLANA_HISTORY = UNTOLD.map((reference): BlockReference => ({ ...reference, data: 'history' }));

const SOLANA_HEADS: ReadonlyMap<string, readonly BlockReference[]> = new Map<string, readonly BlockReference[]>([
  ['getSlot', byCommitment(wholeHeight)],
  ['getEpochInfo', byCommitment(memberHeight('absoluteSlot'))],
  ...[
    'getAccountInfo',
    'getBalance',
    'getFeeForMessage',
    'getLargestAccounts',
    'getLatestBlockhash',
    'getMultipleAccounts',
    'getProgramAccounts',
    'getSupply',
    'getTokenAccountBalance',
    'getTokenAccountsByDelegate',
    'getTokenAccountsByOwner',
    'getTokenLargestAccounts',
    'getTokenSupply',
    'isBlockhashValid',
    'simulateTransaction',
  ].map((method): [string, readonly BlockReference[]] => [method, IN_CONTEXT]),
  // The answer to `getBlockHeight` counts blocks, not slots.
  ['getBlockHeight', UNTOLD],
  ['getTransactionCount', UNTOLD],
  ['getSignaturesForAddress', UNTOLD.map((reference) => ({ ...reference, isRange: true }))],
]);

const SLOTS: ReadonlySet<string> = new Set([
  'getBlock',
  'getBlockTime',
  'getBlockCommitment',
  'getBlocksWithLimit',
  'getConfirmedBlock',
  'getConfirmedBlocksWithLimit',
]);
const RANGES: ReadonlySet<string> = new Set(['getBlocks', 'getConfirmedBlocks']);
const SOLANA_TRANSACTIONS: ReadonlySet<string> = new Set(['getTransaction', 'getConfirmedTransaction']);

/** Commitment of the answers to `getSignatureStatuses`, which has no commitment parameter. */
const PROCESSED = 2;

function solanaReference({ method, params }: RpcRequest): BlockReference | null {
  if (method === 'getSignatureStatuses') {
    const [id = null, ...moreIds] = signaturesIn(params);
    return { ...(IN_CONTEXT[PROCESSED] as BlockReference), id, moreIds };
  }
  const commitment = commitmentOf(params);
  const history = SOLANA_HISTORY[commitment] as BlockReference;
  if (SOLANA_TRANSACTIONS.has(method))
    return { ...history, at: 'transaction', id: firstText(params), tells: 'block', heightIn: memberHeight('slot') };
  if (SLOTS.has(method)) return atSlot(/^\s*\[\s*(\d{1,16})\s*[,\]]/.exec(params)?.[1], history);
  if (RANGES.has(method)) {
    const range = { ...history, isRange: true };
    return atSlot(/^\s*\[\s*\d{1,16}\s*,\s*(\d{1,16})\s*[,\]]/.exec(params)?.[1], range) ?? range;
  }
  const head = SOLANA_HEADS.get(method)?.[commitment];
  if (!head || !params.includes('"minContextSlot"')) return head ?? null;
  const least = /"minContextSlot"\s*:\s*(\d{1,15})\s*[,}]/.exec(params)?.[1];
  return least === undefined ? head : { ...head, height: Number(least) };
}

function atSlot(slot: string | undefined, reference: BlockReference): BlockReference | null {
  const height = Number(slot);
  return slot !== undefined && Number.isSafeInteger(height) ? { ...reference, at: 'number', height } : null;
}

function firstText(params: string): string | null {
  return signaturesIn(params)[0] ?? null;
}

function signaturesIn(params: string): string[] {
  return Array.from(params.matchAll(/"([1-9A-HJ-NP-Za-km-z]{64,90})"/g), ([, signature = '']) => signature);
}

const BLOCK: BlockReference = { ...HEAD_STATE, data: 'history', tells: 'head', heightIn: memberHeight('block_number') };
const STARKNET_HEADS: ReadonlyMap<string, BlockReference> = new Map([
  ['starknet_blockNumber', { ...HEAD_STATE, data: 'history', tells: 'head', heightIn: wholeHeight }],
  ['starknet_blockHashAndNumber', BLOCK],
]);
const STARKNET_TRANSACTIONS: ReadonlySet<string> = new Set([
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
const STARKNET_HISTORY: ReadonlySet<string> = new Set([
  ...BLOCKS,
  'starknet_getBlockTransactionCount',
  'starknet_getEvents',
  'starknet_getStateUpdate',
  'starknet_getTransactionByBlockIdAndIndex',
]);

/**
 * Maximum length of params to parse. A call with longer params, such as a contract declaration, is treated as a call
 * without a block.
 */
const PARAMS_LENGTH_MAX = 262_144;

function starknetReference({ method, params }: RpcRequest): BlockReference | null {
  const head = STARKNET_HEADS.get(method);
  if (head) return head;
  if (STARKNET_TRANSACTIONS.has(method))
    return { ...BLOCK, at: 'transaction', id: feltIn(/"(0x[0-9a-fA-F]{1,64})"/.exec(params)), tells: 'block' };
  const reference = BLOCKS.has(method)
    ? BLOCK
    : STARKNET_HISTORY.has(method)
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

/** Normalizes a field element, because some nodes write it with leading zeros. */
export function feltOf(text: string): string {
  return `0x${text.slice(2).replace(/^0+/, '').toLowerCase()}`;
}

function feltIn(found: RegExpExecArray | null): string | null {
  return found ? feltOf(found[1] as string) : null;
}

const REFERENCES: Readonly<Record<ChainKind, (item: RpcRequest) => BlockReference | null>> = {
  evm: evmReference,
  solana: solanaReference,
  starknet: starknetReference,
};

/** Returns the block that a call is about; null if any node can answer. */
export function blockReferenceOf(item: RpcRequest, kind: ChainKind): BlockReference | null {
  return REFERENCES[kind](item);
}
