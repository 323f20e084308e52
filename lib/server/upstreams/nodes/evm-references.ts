import { isRecord } from '@/lib/protocol/json-record';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import {
  type BlockReference,
  type ChainData,
  HEAD_STATE,
  lastMemberHeight,
  memberHeight,
  NO_HEIGHT_FINDER,
  wholeHeight,
} from './block-reference';
import { heightOf, taggedCommitment } from './head-height';

/**
 * Position of a method's block in its params. The form `block` is a tag, a number, a hash or an EIP-1898 object. The
 * form `head` means that there is no block parameter.
 */
interface Position {
  form: 'head' | 'block' | 'context' | 'bundle' | 'hash' | 'transaction' | 'filter';
  index: number;
  reference: BlockReference;
}

type Telling = Pick<BlockReference, 'tells' | 'heightIn'> & Partial<Pick<BlockReference, 'hashName' | 'isRange'>>;

const positions = new Map<string, Position>();

function define(
  form: Position['form'],
  index: number,
  data: ChainData,
  methods: readonly string[],
  telling?: Telling,
): void {
  for (const method of methods) positions.set(method, { form, index, reference: { ...HEAD_STATE, data, ...telling } });
}

const BLOCK: Telling = { tells: 'head', heightIn: memberHeight('number'), hashName: 'hash' };
const RECEIPTS: Telling = { tells: 'head', heightIn: memberHeight('blockNumber'), hashName: 'blockHash' };
const IN_BLOCK: Telling = { tells: 'block', heightIn: memberHeight('blockNumber'), hashName: 'blockHash' };
const LOGS: Telling = {
  tells: 'block',
  heightIn: lastMemberHeight('blockNumber'),
  hashName: 'blockHash',
  isRange: true,
};
const TRACES: Telling = { tells: 'nothing', heightIn: NO_HEIGHT_FINDER, isRange: true };

define('head', 0, 'history', ['eth_blockNumber'], { tells: 'head', heightIn: wholeHeight });
define('block', 0, 'history', ['eth_getBlockByNumber', 'eth_getHeaderByNumber'], BLOCK);
define('block', 0, 'history', ['eth_getBlockReceipts'], RECEIPTS);
define('block', 0, 'history', [
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getRawTransactionByBlockNumberAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockNumber',
  'eth_getTransactionReceiptsByBlock',
  'eth_getTransactionReceiptsByBlockNumber',
  'eth_getTransactionsByBlockNumber',
  'eth_getBlobSidecars',
  'eth_getBlockAccessList',
  'debug_getBlockRlp',
  'debug_getRawBlock',
  'debug_getRawHeader',
  'debug_getRawReceipts',
  'debug_getRawTransactions',
  'debug_printBlock',
  'erigon_getHeaderByNumber',
  'zks_getBlockDetails',
  'zks_getBlockMetadataByNumber',
  'zks_getRawBlockTransactions',
  'bor_getAuthor',
  'bor_getSigners',
  'bor_getSnapshot',
  'bor_getSnapshotProposer',
  'bor_getSnapshotProposerSequence',
  'parlia_getSnapshot',
  'parlia_getValidators',
  'optimism_outputAtBlock',
]);
define('block', 0, 'trace', [
  'debug_accountRange',
  'debug_dumpBlock',
  'debug_executionWitness',
  'debug_intermediateRoots',
  'debug_traceBlockByNumber',
  'trace_block',
  'trace_blockOpcodeGas',
  'trace_replayBlockTransactions',
  'debug_traceTransactionByBlockAndIndex',
  'arbtrace_block',
  'arbtrace_replayBlockTransactions',
  'erigon_getBalanceChangesInBlock',
]);
define('block', 1, 'state', [
  'eth_getBalance',
  'eth_getCode',
  'eth_getTransactionCount',
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_getAccount',
  'eth_getAccountInfo',
  'eth_getStorageValues',
  'eth_simulateV1',
  'eth_callDetailed',
]);
define('context', 1, 'state', ['eth_callMany']);
define('context', 1, 'trace', ['debug_traceCallMany']);
define('bundle', 0, 'state', ['eth_callBundle']);
define('block', 1, 'history', ['eth_feeHistory']);
define('block', 1, 'trace', ['debug_traceCall', 'trace_callMany', 'arbtrace_callMany']);
define('block', 2, 'state', ['eth_getStorageAt', 'eth_getProof']);
define('block', 2, 'trace', ['trace_call', 'arbtrace_call']);
define('hash', 0, 'history', ['eth_getBlockByHash', 'eth_getHeaderByHash'], { ...BLOCK, tells: 'block' });
define('hash', 0, 'history', [
  'eth_getBlockTransactionCountByHash',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockHashAndIndex',
  'debug_getBlockRlpByHash',
  'erigon_getHeaderByHash',
  'erigon_getBlockReceiptsByBlockHash',
  'erigon_getLogsByHash',
  'bor_getSignersAtHash',
  'bor_getSnapshotAtHash',
  'parlia_getSnapshotAtHash',
  'parlia_getValidatorsAtHash',
  'eth_getSignersAtHash',
]);
define('hash', 0, 'trace', [
  'debug_traceBlockByHash',
  'debug_storageRangeAt',
  'debug_executionWitnessByBlockHash',
  'debug_getModifiedAccountsByHash',
  'debug_traceTransactionByBlockhashAndIndex',
]);
define(
  'transaction',
  0,
  'history',
  [
    'eth_getTransactionReceipt',
    'eth_getTransactionByHash',
    'eth_getTransactionDataAndReceipt',
    'eth_getUserOperationByHash',
  ],
  IN_BLOCK,
);
define('transaction', 0, 'history', [
  'eth_getRawTransactionByHash',
  'eth_getBlobSidecarByTxHash',
  'eth_getUserOperationReceipt',
  'pimlico_getUserOperationStatus',
  'debug_getRawTransaction',
  'zks_getTransactionDetails',
  'base_transactionStatus',
  'zks_getL2ToL1LogProof',
]);
define('transaction', 0, 'trace', [
  'debug_traceTransaction',
  'trace_transaction',
  'trace_get',
  'trace_replayTransaction',
  'trace_transactionOpcodeGas',
  'arbtrace_transaction',
  'arbtrace_get',
  'arbtrace_replayTransaction',
]);
define('filter', 0, 'history', ['eth_getLogs', 'erigon_getLogs', 'erigon_getLatestLogs'], LOGS);
define('filter', 0, 'trace', ['trace_filter', 'arbtrace_filter'], TRACES);

/** Returns the position of a method's block in its params; null if unknown. */
export function evmPosition(method: string): Pick<Position, 'form' | 'index'> | null {
  return positions.get(method) ?? null;
}

/** Maximum length of params to parse. A call with longer params is treated as a call without a block. */
const PARAMS_LENGTH_MAX = 262_144;

/** The answer does not reveal the head, because a pending block has no number or a number in the future. */
const pendingOf = (reference: BlockReference): BlockReference =>
  reference.tells === 'nothing' ? reference : { ...HEAD_STATE, data: reference.data };

export function evmReference({ method, params }: RpcRequest): BlockReference | null {
  const position = positions.get(method);
  const saysLatest = params.includes('"latest"');
  const saysPending = params.includes('"pending"');
  if (position === undefined) return saysLatest || saysPending ? HEAD_STATE : null;
  const { form, index, reference } = position;
  if (form === 'head') return reference;
  if (form !== 'transaction' && saysPending) return { ...pendingOf(reference), sender: senderIn(params) };
  if (form === 'block' && saysLatest) return reference;
  const asked = parse(params);
  if (form === 'filter') return ofFilter(asked?.[0], reference);
  const named = asked?.[index] ?? null;
  if (form === 'bundle') return ofBlock(isRecord(named) ? (named.stateBlockNumber ?? null) : null, reference);
  if (form === 'transaction') return { ...reference, at: 'transaction', id: idOf(named) };
  if (form === 'hash') return { ...reference, at: 'hash', id: idOf(named) };
  return ofBlock(named, reference);
}

function ofBlock(named: unknown, reference: BlockReference): BlockReference | null {
  if (named === null) return reference;
  const commitment = taggedCommitment(named);
  if (commitment !== null) return { ...reference, commitment };
  if (isRecord(named)) return ofBlock(named.blockHash ?? named.blockNumber ?? null, reference);
  const hash = idOf(named);
  if (hash !== null) return { ...reference, at: 'hash', id: hash, tells: toldBy(reference) };
  const height = named === 'earliest' ? 0 : heightOf(named);
  return height === null ? null : { ...reference, at: 'number', height, tells: toldBy(reference) };
}

function ofFilter(filter: unknown, reference: BlockReference): BlockReference | null {
  if (!isRecord(filter)) return reference;
  const hash = idOf(filter.blockHash);
  if (hash !== null) return { ...reference, isRange: false, at: 'hash', id: hash };
  const { fromBlock = null, toBlock = null } = filter;
  if (toBlock === null || fromBlock === 'latest') return reference;
  const commitment = taggedCommitment(toBlock);
  if (commitment !== null) return { ...reference, commitment };
  const to = toBlock === 'earliest' ? 0 : heightOf(toBlock);
  if (to === null) return null;
  const from = fromBlock === 'earliest' ? 0 : heightOf(fromBlock);
  return { ...reference, at: 'number', height: to, span: from === null || from > to ? null : to - from + 1 };
}

/** If a request specifies its block, the answer reveals only that the block exists, and not the node's head. */
function toldBy({ tells }: BlockReference): BlockReference['tells'] {
  return tells === 'head' ? 'block' : tells;
}

function senderIn(params: string): string | null {
  return /^\s*\[\s*"(0x[0-9a-fA-F]{40})"/.exec(params)?.[1]?.toLowerCase() ?? null;
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? value.toLowerCase() : null;
}

function parse(params: string): readonly unknown[] | null {
  if (params.length > PARAMS_LENGTH_MAX) return null;
  try {
    const asked = JSON.parse(params) as unknown;
    return Array.isArray(asked) ? asked : null;
  } catch {
    return null;
  }
}
