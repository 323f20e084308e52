import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { ChainKind } from '@/lib/protocol/networks';
import { HEAD_COMMITMENTS, type HeadCommitment, heightOf, commitmentOf } from './head-height';
import type { ItemAnswer } from './node-request';

/** Finds a height in a result. @returns null where there is none, or none near its beginning. */
type HeightFinder = (bytes: Buffer, start: number, end: number) => number | null;

/** What is known of a read whose answer depends on how far a node is. */
export interface HeadRead {
  /** The head that it is about. */
  commitment: HeadCommitment;
  /**
   * What its answer says: `head`, how far the node is, so that an answer can be seen to be older than another; `block`,
   * only that there is a block of this height; `nothing`, as a balance does.
   */
  tells: 'head' | 'block' | 'nothing';
  heightIn: HeightFinder;
}

/**
 * Whether a read is one of the head of its chain, judged by method and params, and what its answer will say of it.
 * Reads at a block that is named by number, hash or finality are none.
 */
export function headReadOf(item: RpcRequest, kind: ChainKind): HeadRead | null {
  switch (kind) {
    case 'evm':
      return ofEvm(item);
    case 'solana':
      return ofSolana(item);
    case 'starknet':
      return ofStarknet(item);
  }
}

/** Of a result that should say a height and says none, as `null` does: older than everything. */
export const NO_HEIGHT = -1;

/**
 * The height that an answer tells: `NO_HEIGHT` where it should tell one and holds nothing else either; null where none
 * is to be expected of it.
 */
export function heightTold({ tells, heightIn }: HeadRead, { kind, bytes, start, end }: ItemAnswer): number | null {
  if (tells === 'nothing' || kind === 'error') return null;
  const height = heightIn(bytes, start, end);
  if (height !== null || tells === 'block' || end - start > HEIGHT_LENGTH_MAX) return height;
  // A block without transactions has no receipts.
  return bytes[start] === OPENING_BRACKET ? null : NO_HEIGHT;
}

const OPENING_BRACKET = 0x5b;

/** Params beyond this are not parsed to find out whether they name a block: they are taken to name none. */
const PARAMS_LENGTH_MAX = 8_192;
/** Where members by which blocks say their height are looked for. */
const LOOKED_BYTES_MAX = 65_536;
/** A height with what surrounds it. */
const HEIGHT_LENGTH_MAX = 100;
/** What Solana's answers begin with. */
const CONTEXT_LENGTH_MAX = 256;

const NOWHERE: HeightFinder = () => null;
const STATE: HeadRead = { commitment: 0, tells: 'nothing', heightIn: NOWHERE };

/** The result itself is the height. */
const whole: HeightFinder = (bytes, start, end) => (end - start > HEIGHT_LENGTH_MAX ? null : heightOfText(bytes.toString('latin1', start, end)));

/**
 * The first member of this name, at whatever depth: blocks have it at the top, and what stands in texts before it has
 * escaped quotes.
 */
function member(name: string): HeightFinder {
  const needle = Buffer.from(`"${name}"`);
  return (bytes, start, end) => {
    const looked = bytes.subarray(start, Math.min(end, start + LOOKED_BYTES_MAX));
    const at = looked.indexOf(needle);
    if (at < 0) return null;
    const after = at + needle.length;
    const [, text] = /^\s*:\s*("0x[0-9a-fA-F]{1,64}"|\d{1,16})\s*[,}]/.exec(looked.toString('latin1', after, after + HEIGHT_LENGTH_MAX)) ?? [];
    return text === undefined ? null : heightOfText(text);
  };
}

const contextSlot: HeightFinder = (bytes, start, end) => {
  const [, slot] = /^\s*\{\s*"context"\s*:\s*\{[^{}]*?"slot"\s*:\s*(\d{1,16})\s*[,}]/.exec(bytes.toString('latin1', start, Math.min(end, start + CONTEXT_LENGTH_MAX))) ?? [];
  return slot === undefined ? null : heightOfText(slot);
};

function heightOfText(text: string): number | null {
  return heightOf(text.startsWith('"') ? text.slice(1, -1) : /^\d{1,16}$/.test(text) ? Number(text) : null);
}

const telling = (heightIn: HeightFinder, tells: 'head' | 'block' = 'head'): HeadRead => ({ commitment: 0, tells, heightIn });

/** Which of the params names the block: the head where it says so, or is not there. Null where there is none to name. */
interface EvmRule {
  block: number | null;
  read: HeadRead;
}

const EVM: ReadonlyMap<string, EvmRule> = new Map<string, EvmRule>([
  ['eth_blockNumber', { block: null, read: telling(whole) }],
  ['eth_getBlockByNumber', { block: 0, read: telling(member('number')) }],
  ['eth_getHeaderByNumber', { block: 0, read: telling(member('number')) }],
  ['eth_getBlockReceipts', { block: 0, read: telling(member('blockNumber')) }],
  ['eth_getTransactionReceipt', { block: null, read: telling(member('blockNumber'), 'block') }],
  ['eth_getTransactionByHash', { block: null, read: telling(member('blockNumber'), 'block') }],
  ['eth_getBlockTransactionCountByNumber', { block: 0, read: STATE }],
  ['eth_getTransactionByBlockNumberAndIndex', { block: 0, read: STATE }],
  ['eth_getBalance', { block: 1, read: STATE }],
  ['eth_getCode', { block: 1, read: STATE }],
  ['eth_getTransactionCount', { block: 1, read: STATE }],
  ['eth_call', { block: 1, read: STATE }],
  ['eth_estimateGas', { block: 1, read: STATE }],
  ['eth_createAccessList', { block: 1, read: STATE }],
  ['eth_getStorageAt', { block: 2, read: STATE }],
  ['eth_getProof', { block: 2, read: STATE }],
]);

function ofEvm({ method, params }: RpcRequest): HeadRead | null {
  const rule = EVM.get(method);
  if (rule === undefined) return params.includes('"latest"') || params.includes('"pending"') || (method === 'eth_getLogs' && isOpenRange(params)) ? STATE : null;
  if (rule.block === null) return rule.read;
  // A pending block has the number of one that is not there yet, or none.
  if (params.includes('"pending"')) return STATE;
  return params.includes('"latest"') || isAbsent(params, rule.block) ? rule.read : null;
}

function isAbsent(params: string, index: number): boolean {
  const asked = parse(params);
  return !Array.isArray(asked) || (asked[index] ?? null) === null;
}

/** Logs up to the head, which a filter without an end means. */
function isOpenRange(params: string): boolean {
  const asked = parse(params);
  const filter: unknown = Array.isArray(asked) ? asked[0] : null;
  if (typeof filter !== 'object' || filter === null) return true;
  const { blockHash, toBlock } = filter as { blockHash?: unknown; toBlock?: unknown };
  return (blockHash ?? null) === null && (toBlock ?? null) === null;
}

function parse(params: string): unknown {
  if (params.length > PARAMS_LENGTH_MAX) return null;
  try {
    return JSON.parse(params) as unknown;
  } catch {
    return null;
  }
}

/** One for each commitment. */
const byCommitment = (heightIn: HeightFinder): readonly HeadRead[] => HEAD_COMMITMENTS.map((commitment) => ({ commitment, tells: heightIn === NOWHERE ? 'nothing' : 'head', heightIn }));

const IN_CONTEXT = byCommitment(contextSlot);
const UNTOLD = byCommitment(NOWHERE);

const SOLANA: ReadonlyMap<string, readonly HeadRead[]> = new Map<string, readonly HeadRead[]>([
  ['getSlot', byCommitment(whole)],
  ['getEpochInfo', byCommitment(member('absoluteSlot'))],
  ...['getAccountInfo', 'getBalance', 'getFeeForMessage', 'getLargestAccounts', 'getLatestBlockhash', 'getMultipleAccounts', 'getProgramAccounts', 'getSupply', 'getTokenAccountBalance', 'getTokenAccountsByDelegate', 'getTokenAccountsByOwner', 'getTokenLargestAccounts', 'getTokenSupply', 'isBlockhashValid', 'simulateTransaction'].map(
    (method): [string, readonly HeadRead[]] => [method, IN_CONTEXT],
  ),
  // Its height counts blocks and not slots.
  ['getBlockHeight', UNTOLD],
  ['getTransactionCount', UNTOLD],
  ['getSignaturesForAddress', UNTOLD],
]);

/** Whatever commitment is meant, it answers from what was processed. */
const STATUSES = IN_CONTEXT[2] ?? null;

function ofSolana({ method, params }: RpcRequest): HeadRead | null {
  if (method === 'getSignatureStatuses') return STATUSES;
  return SOLANA.get(method)?.[commitmentOf(params)] ?? null;
}

const STARKNET_HEADS: ReadonlyMap<string, HeadRead> = new Map([
  ['starknet_blockNumber', telling(whole)],
  ['starknet_blockHashAndNumber', telling(member('block_number'))],
  ['starknet_getTransactionReceipt', telling(member('block_number'), 'block')],
]);
const STARKNET_BLOCKS: ReadonlySet<string> = new Set(['starknet_getBlockWithTxHashes', 'starknet_getBlockWithTxs', 'starknet_getBlockWithReceipts']);
const STARKNET_LATEST = telling(member('block_number'));

function ofStarknet({ method, params }: RpcRequest): HeadRead | null {
  const head = STARKNET_HEADS.get(method);
  if (head) return head;
  if (params.includes('"latest"')) return STARKNET_BLOCKS.has(method) ? STARKNET_LATEST : STATE;
  return params.includes('"pending"') || params.includes('"pre_confirmed"') ? STATE : null;
}
