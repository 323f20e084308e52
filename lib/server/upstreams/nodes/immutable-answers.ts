import { isRecord } from '@/lib/protocol/json-record';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';

interface Finality {
  network: Network;
  finalizedHeight: number | null;
  heightOfBlock(hash: string): number | null;
}

type Rule = (params: readonly unknown[], result: unknown, finality: Finality) => boolean;

/** Milliseconds for which an answer may be cached: Infinity if it is immutable, 0 if it must not be cached. */
type Keeping = number;

const VERSION_MS = 60_000;
const TEXT_BYTES_MAX = 4_096;
/** Maximum size of a cached result. It limits the time for parsing results. */
const RESULT_BYTES_MAX = 262_144;
/** Empty results, which are not cached, because the node may be behind. */
const EMPTY: ReadonlySet<string> = new Set(['null', '[]', '{}', '""', '"0x"', '"0x0"']);
const EMPTY_BYTES_MAX = 5;
/** Text in zkSync's blocks, transactions and logs whose batch is not sealed yet. */
const UNSEALED = '"l1BatchNumber":null';

export function mayBeImmutable({ method, params }: RpcRequest): boolean {
  return KEPT.has(method) && !params.endsWith('"latest"]');
}

/**
 * Returns for how long an answer may be cached. The chain id and reads of a final block are immutable. A read by block
 * hash is immutable only once the block is final. Before that, nodes may add members to the block (zkSync's batch), and
 * a reorganization may remove the block. The answer must match the request and must not be empty.
 */
export function keepingMs({ method, params }: RpcRequest, result: Buffer, finality: Finality): Keeping {
  if (params.length > TEXT_BYTES_MAX || (result.length <= EMPTY_BYTES_MAX && EMPTY.has(result.toString('latin1'))))
    return 0;
  if (VERSIONS.has(method)) return keepingOfVersion(method, result, finality.network);
  const rule = RULES.get(method);
  // Most calls are about the latest block, so this check saves parsing them.
  if (!rule || params.includes('"latest"') || params.includes('"pending"') || result.length > RESULT_BYTES_MAX)
    return 0;
  const asked = parse(params);
  if (result.includes(UNSEALED)) return 0;
  return Array.isArray(asked) && rule(asked, parse(result.toString('utf8')), finality) ? Infinity : 0;
}

/**
 * Methods that describe a chain or a node. The correct chain id is cached without expiry, and a wrong chain id is not
 * cached. Other answers are cached for `VERSION_MS`.
 */
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
  // Reads by block hash. They are cached once the block is final.
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
  // Reads by transaction hash. They are cached once the transaction's block is final.
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
  // Reads by block number. They are cached once the block is final.
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
  ['eth_call', (params, _result, finality) => isSettledBlock(params[1], finality)],
  ['eth_getBalance', ([, block], _result, finality) => isSettledBlock(block, finality)],
  ['eth_getCode', ([, block], _result, finality) => isSettledBlock(block, finality)],
  ['eth_getTransactionCount', ([, block], _result, finality) => isSettledBlock(block, finality)],
  ['eth_getStorageAt', ([, , block], _result, finality) => isSettledBlock(block, finality)],
  ['web3_sha3', () => true],
  // Reads of `finalized` data on Solana. `finalized` is also the default commitment.
  [
    'getBlock',
    ([slot, config], result) => typeof slot === 'number' && isFinalizedCommitment(config) && isRecord(result),
  ],
  [
    'getTransaction',
    ([signature, config], result) => typeof signature === 'string' && isFinalizedCommitment(config) && isRecord(result),
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

function isSettledBlock(block: unknown, finality: Finality): boolean {
  if (!isRecord(block)) return isFinalHash(block, finality) || isFinal(block, finality);
  return isFinalHash(block.blockHash, finality) || isFinal(block.blockNumber, finality);
}

function areSettledLogs(filter: unknown, result: unknown, finality: Finality): boolean {
  if (!isRecord(filter)) return false;
  if (filter.blockHash !== undefined)
    return isFinalHash(filter.blockHash, finality) || areFinalIn(filter.blockHash, result, finality);
  return isFinal(filter.fromBlock, finality) && isFinal(filter.toBlock, finality);
}

function isFinalHash(hash: unknown, finality: Finality): boolean {
  const height = isHash(hash) ? finality.heightOfBlock(lower(hash)) : null;
  return height !== null && finality.finalizedHeight !== null && height <= finality.finalizedHeight;
}

function areFinalIn(block: unknown, result: unknown, finality: Finality): boolean {
  if (!isHash(block) || !Array.isArray(result)) return false;
  return result.every((each) => member(each, 'blockHash') === lower(block) && isFinal(blockNumberOf(each), finality));
}

function numberOf(block: unknown): unknown {
  return isRecord(block) ? block.number : null;
}

function blockNumberOf(result: unknown): unknown {
  return isRecord(result) && isHash(result.blockHash) ? result.blockNumber : null;
}

function isFinalizedCommitment(config: unknown): boolean {
  return !isRecord(config) || config.commitment === undefined || config.commitment === 'finalized';
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

function member(value: unknown, name: string): string | undefined {
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === 'string' ? found.toLowerCase() : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const ENTRY_BYTES = 200;
const LARGEST_SHARE = 1 / 16;

interface Entry {
  bytes: Buffer;
  size: number;
  /** When the answer expires (`performance.now()`); Infinity for an immutable answer. */
  expiresAt: number;
}

/** LRU cache of results with a limit on its bytes. */
export class ImmutableCache {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #generations = 0;

  /** @param onKept called with the bytes of each new entry */
  constructor(
    private readonly bytesMax: number,
    private readonly onKept: (bytes: Uint8Array) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a number for the keys of a network's answers. No backend gets the number of an earlier one. */
  nextGeneration(): number {
    return ++this.#generations;
  }

  get(key: string, now: number): Buffer | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    if (now >= entry.expiresAt) {
      this.#drop(key, entry);
      return null;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.bytes;
  }

  /** Stores a copy. The bytes may be part of a large answer, which would otherwise stay in memory. */
  set(key: string, value: Buffer, expiresAt = Infinity): void {
    const size = key.length + value.length + ENTRY_BYTES;
    if (size > this.bytesMax * LARGEST_SHARE) return;
    const present = this.#entries.get(key);
    if (present) this.#drop(key, present);
    const bytes = Buffer.allocUnsafeSlow(value.length);
    value.copy(bytes);
    this.onKept(bytes);
    this.#entries.set(key, { bytes, size, expiresAt });
    this.#bytes += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.bytesMax) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}
