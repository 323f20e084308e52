import { toBase58 } from '../address';
import type { SolanaChain } from '../chain';
import type { LedgerEntry } from '../ledger';
import { invalidParams, type Json, JsonText, RPC_CODES, RpcError } from './json-rpc';
import { type Method, withContext } from './method';
import { asCount, type Config, oneOf, type Params, parseSignatureParam } from './params';
import { transactionFormat, transactionWithMeta } from './transaction-json';

const STATUSES_MAX = 256;
const HISTORY_MAX = 1_000;
const BLOCKS_MAX = 500_000;

/** Methods that read executed transactions. Every transaction is final and kept. */
export const HISTORY_METHODS: Readonly<Record<string, Method>> = {
  getSignatureStatuses: (chain, params) => {
    params.config(1);
    const signatures = params.array(0, STATUSES_MAX).map(parseSignatureParam);
    return withContext(
      chain,
      signatures.map((signature) => statusJson(chain.ledger.find(signature))),
    );
  },
  getSignaturesForAddress: (chain, params) => {
    const { before, until, limit } = params.config(1);
    const limitMax = limit === undefined || limit === null ? HISTORY_MAX : asCount(limit);
    if (limitMax < 1 || limitMax > HISTORY_MAX) throw invalidParams(`Invalid limit; max ${HISTORY_MAX}`);
    const range = { before: optionalSignature(before), until: optionalSignature(until), limit: limitMax };
    return chain.ledger.history(params.address(0), range).map((entry) => signatureJson(chain, entry));
  },
  getTransaction: (chain, params) => {
    const format = transactionFormat(formatConfig(params, 1));
    const entry = chain.ledger.find(params.signature(0));
    if (!entry) return null;
    return { slot: entry.slot, blockTime: chain.clock.timeOf(entry.slot), ...transactionWithMeta(entry, format) };
  },
  getBlock: (chain, params) => {
    const config = formatConfig(params, 1);
    const slot = requireBlock(chain, params.count(0));
    return { ...blockJson(chain, slot), ...transactionsJson(chain.ledger.inSlot(slot), config) };
  },
  getBlockTime: (chain, params) => chain.clock.timeOf(requireBlock(chain, params.count(0))),
  getBlockCommitment: (_chain, params) => {
    params.count(0);
    return { commitment: null, totalStake: 0 };
  },
  getBlocks: (chain, params) => {
    const first = params.count(0);
    const hasLast = params.isNumber(1);
    const last = Math.min(hasLast ? params.count(1) : chain.clock.now(), chain.clock.now());
    params.config(hasLast ? 2 : 1);
    if (last - first > BLOCKS_MAX) throw invalidParams(`Slot range too large; max ${BLOCKS_MAX}`);
    return slotsFrom(first, last - first + 1);
  },
  getBlocksWithLimit: (chain, params) => {
    const first = params.count(0);
    const limit = params.count(1);
    params.config(2);
    if (limit > BLOCKS_MAX) throw invalidParams(`Limit too large; max ${BLOCKS_MAX}`);
    return slotsFrom(first, Math.min(limit, chain.clock.now() - first + 1));
  },
};

function statusJson(entry: LedgerEntry | undefined): Json {
  if (!entry) return null;
  const err = errorJson(entry);
  return {
    slot: entry.slot,
    confirmations: null,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: 'finalized',
  };
}

function signatureJson(chain: SolanaChain, entry: LedgerEntry): Json {
  const { slot, memo, signature } = entry;
  return {
    signature: toBase58(signature),
    slot,
    err: errorJson(entry),
    memo,
    blockTime: chain.clock.timeOf(slot),
    confirmationStatus: 'finalized',
  };
}

function errorJson({ error }: LedgerEntry): Json {
  return error === null ? null : new JsonText(error);
}

function blockJson(chain: SolanaChain, slot: number): Record<string, Json> {
  const parentSlot = Math.max(0, slot - 1);
  return {
    blockhash: chain.clock.blockhashText(slot),
    previousBlockhash: chain.clock.blockhashText(parentSlot),
    parentSlot,
    blockHeight: slot,
    blockTime: chain.clock.timeOf(slot),
  };
}

function transactionsJson(entries: readonly LedgerEntry[], config: Config): Record<string, Json> {
  const rewards: Record<string, Json> = config['rewards'] === false ? {} : { rewards: [] };
  const details = oneOf(config['transactionDetails'], ['full', 'accounts', 'signatures', 'none'], 'full');
  if (details === 'none') return rewards;
  if (details === 'signatures') return { signatures: entries.map(({ signature }) => toBase58(signature)), ...rewards };
  if (details === 'accounts')
    throw invalidParams('Invalid params: transactionDetails "accounts" is not offered here, use "full".');
  const format = transactionFormat(config);
  return { transactions: entries.map((entry) => ({ ...transactionWithMeta(entry, format) })), ...rewards };
}

function requireBlock(chain: SolanaChain, slot: number): number {
  if (slot > chain.clock.now()) throw new RpcError(RPC_CODES.blockNotAvailable, `Block not available for slot ${slot}`);
  return slot;
}

function formatConfig(params: Params, index: number): Config {
  return params.isText(index) ? { encoding: params.text(index) } : params.config(index);
}

function optionalSignature(value: unknown): Uint8Array | undefined {
  return value === undefined || value === null ? undefined : parseSignatureParam(value);
}

function slotsFrom(first: number, count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index);
}
