import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import type { Network } from '@/lib/protocol/networks';

/** What decides whether an answer can still change. */
export interface Finality {
  network: Network;
  /** Newest block that is final; null while it is not known. */
  finalizedHeight: number | null;
  /** The height of the block of a hash; null while it is not known. */
  heightOfBlock(hash: string): number | null;
}

/** What a rule is shown: the parsed params, and the parsed result. */
type Rule = (params: readonly unknown[], result: unknown, finality: Finality) => boolean;

/** How long an answer may be kept: for ever, for some milliseconds, or not at all. */
export type Keeping = number;

const VERSION_MS = 60_000;
const TEXT_BYTES_MAX = 4_096;
/** Beyond this a result is not parsed to be looked at; those whose rule needs no look are kept all the same. */
const RESULT_BYTES_MAX = 262_144;
/** Nothing is kept that may only mean that the node does not know (yet). */
const EMPTY: ReadonlySet<string> = new Set(['null', '[]', '{}', '""', '"0x"', '"0x0"']);
const EMPTY_BYTES_MAX = 5;
/** What zkSync says of a block, transaction or log until its batch is sealed. */
const UNSEALED = '"l1BatchNumber":null';

/** Whether the answer to a read may be one that is kept: worth a look into the cache. */
export function mayBeImmutable({ method, params }: RpcRequest): boolean {
  return KEPT.has(method) && !params.endsWith('"latest"]');
}

/**
 * For how long the answer to a read stays true, in milliseconds: Infinity where it cannot change, 0 where it can.
 * Immutable are: what lies in a block that is final, however it is named; the chain's own id. By the hash of a block alone
 * nothing is: nodes add to a block that is not final (zkSync's batch), and a reorganization takes it from the chain. The
 * answer must say itself that it is what was asked (its hash, its number, the id of the chain), and must not be empty.
 */
export function keepingMs({ method, params }: RpcRequest, result: Buffer, finality: Finality): Keeping {
  if (params.length > TEXT_BYTES_MAX || (result.length <= EMPTY_BYTES_MAX && EMPTY.has(result.toString('latin1'))))
    return 0;
  if (VERSIONS.has(method)) return keepingOfVersion(method, result, finality.network);
  const rule = RULES.get(method);
  // Most calls are about the latest block, and pay for nothing more.
  if (!rule || params.includes('"latest"') || params.includes('"pending"') || result.length > RESULT_BYTES_MAX)
    return 0;
  const asked = parse(params);
  if (result.includes(UNSEALED)) return 0;
  return Array.isArray(asked) && rule(asked, parse(result.toString('utf8')), finality) ? Infinity : 0;
}

/** Ids of the chain are kept for ever where they are the right ones, else for as long as a node's version. */
const VERSIONS: ReadonlyMap<string, (chainId: number) => string> = new Map([
  ['eth_chainId', (chainId: number) => `"0x${chainId.toString(16)}"`],
  ['net_version', (chainId: number) => `"${chainId}"`],
  ['web3_clientVersion', () => ''],
  ['starknet_chainId', () => ''],
  ['starknet_specVersion', () => ''],
  ['getGenesisHash', () => ''],
  ['getVersion', () => ''],
]);

function keepingOfVersion(method: string, result: Buffer, { chainId }: Network): Keeping {
  const expected = chainId === null ? '' : (VERSIONS.get(method)?.(chainId) ?? '');
  if (expected === '') return VERSION_MS;
  return result.toString('latin1') === expected ? Infinity : 0;
}

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // By the hash of a block, once the block is final
  [
    'eth_getBlockByHash',
    ([hash], result, finality) =>
      isHash(hash) && member(result, 'hash') === lower(hash) && isFinal(numberOf(result), finality),
  ],
  [
    'eth_getHeaderByHash',
    ([hash], result, finality) =>
      isHash(hash) && member(result, 'hash') === lower(hash) && isFinal(numberOf(result), finality),
  ],
  ['eth_getBlockTransactionCountByHash', ([hash], _result, finality) => isFinalHash(hash, finality)],
  ['eth_getUncleCountByBlockHash', ([hash], _result, finality) => isFinalHash(hash, finality)],
  [
    'eth_getTransactionByBlockHashAndIndex',
    ([hash], result, finality) =>
      isHash(hash) && member(result, 'blockHash') === lower(hash) && isFinal(blockNumberOf(result), finality),
  ],
  ['eth_getRawTransactionByBlockHashAndIndex', ([hash], _result, finality) => isFinalHash(hash, finality)],
  // By the hash of a transaction, once it lies in a final block
  [
    'eth_getTransactionByHash',
    ([hash], result, finality) =>
      isHash(hash) && member(result, 'hash') === lower(hash) && isFinal(blockNumberOf(result), finality),
  ],
  [
    'eth_getTransactionReceipt',
    ([hash], result, finality) =>
      isHash(hash) && member(result, 'transactionHash') === lower(hash) && isFinal(blockNumberOf(result), finality),
  ],
  // By number, once the block is final
  [
    'eth_getBlockByNumber',
    ([number], result, finality) => isFinal(number, finality) && member(result, 'number') === canonical(number),
  ],
  [
    'eth_getHeaderByNumber',
    ([number], result, finality) => isFinal(number, finality) && member(result, 'number') === canonical(number),
  ],
  ['eth_getBlockTransactionCountByNumber', ([number], _result, finality) => isFinal(number, finality)],
  [
    'eth_getTransactionByBlockNumberAndIndex',
    ([number], result, finality) => isFinal(number, finality) && member(result, 'blockNumber') === canonical(number),
  ],
  ['eth_getRawTransactionByBlockNumberAndIndex', ([number], _result, finality) => isFinal(number, finality)],
  [
    'eth_getBlockReceipts',
    ([block], result, finality) => isSettledBlock(block, finality) || areFinalIn(block, result, finality),
  ],
  ['eth_getLogs', ([filter], result, finality) => areSettledLogs(filter, result, finality)],
  // State at a final block
  ['eth_call', (params, _result, finality) => isSettledBlock(params[1], finality)],
  ['eth_getBalance', ([, block], _result, finality) => isSettledBlock(block, finality)],
  ['eth_getCode', ([, block], _result, finality) => isSettledBlock(block, finality)],
  ['eth_getTransactionCount', ([, block], _result, finality) => isSettledBlock(block, finality)],
  ['eth_getStorageAt', ([, , block], _result, finality) => isSettledBlock(block, finality)],
  // A pure function
  ['web3_sha3', () => true],
  // Solana: what `finalized`, its default commitment, has
  [
    'getBlock',
    ([slot, config], result) => typeof slot === 'number' && isFinalizedCommitment(config) && isObject(result),
  ],
  [
    'getTransaction',
    ([signature, config], result) => typeof signature === 'string' && isFinalizedCommitment(config) && isObject(result),
  ],
]);

const KEPT: ReadonlySet<string> = new Set([...VERSIONS.keys(), ...RULES.keys()]);

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);
}

function isFinal(number: unknown, { finalizedHeight }: Finality): boolean {
  const height = heightOf(number);
  return height !== null && finalizedHeight !== null && height <= finalizedHeight;
}

/** A block by number, or by hash or number as EIP-1898 has it. */
function isSettledBlock(block: unknown, finality: Finality): boolean {
  if (!isObject(block)) return isFinalHash(block, finality) || isFinal(block, finality);
  return isFinalHash(block.blockHash, finality) || isFinal(block.blockNumber, finality);
}

function areSettledLogs(filter: unknown, result: unknown, finality: Finality): boolean {
  if (!isObject(filter)) return false;
  if (filter.blockHash !== undefined)
    return isFinalHash(filter.blockHash, finality) || areFinalIn(filter.blockHash, result, finality);
  return isFinal(filter.fromBlock, finality) && isFinal(filter.toBlock, finality);
}

function isFinalHash(hash: unknown, finality: Finality): boolean {
  const height = isHash(hash) ? finality.heightOfBlock(lower(hash)) : null;
  return height !== null && finality.finalizedHeight !== null && height <= finality.finalizedHeight;
}

/** Whether receipts, or logs, say that they are of this block and that it is final. */
function areFinalIn(block: unknown, result: unknown, finality: Finality): boolean {
  if (!isHash(block) || !Array.isArray(result)) return false;
  return result.every((each) => member(each, 'blockHash') === lower(block) && isFinal(blockNumberOf(each), finality));
}

/** A block that is still pending has no number. */
function numberOf(block: unknown): unknown {
  return isObject(block) ? block.number : null;
}

function blockNumberOf(result: unknown): unknown {
  return isObject(result) && isHash(result.blockHash) ? result.blockNumber : null;
}

function isFinalizedCommitment(config: unknown): boolean {
  return !isObject(config) || config.commitment === undefined || config.commitment === 'finalized';
}

function heightOf(number: unknown): number | null {
  if (number === 'earliest') return 0;
  return typeof number === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(number) ? Number(number) : null;
}

function canonical(number: unknown): string | null {
  const height = heightOf(number);
  return height === null ? null : `0x${height.toString(16)}`;
}

function lower(hash: string): string {
  return hash.toLowerCase();
}

/** A member that is text, in lower case. */
function member(value: unknown, name: string): string | undefined {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found.toLowerCase() : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
