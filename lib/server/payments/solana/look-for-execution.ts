import type { Finding } from '../rail';
import type { ExecutionSearch, Judgement } from './execution-search';
import type { SoughtTransfer } from './history-walk';
import { isSignature, type SolanaNode } from './solana-node';

/** Blocks to wait after the expiry before the last search. */
const EXPIRY_MARGIN_BLOCKS = 32;
/** Interval of lookups while a search runs. */
export const SEARCH_LOOK_MS = 1_000;

export interface Sought {
  transfer: SoughtTransfer;
  /** Slot before which the transfer was not executed. */
  fromSlot: number;
  /** Last block height at which the transfer can be executed. */
  expiresHeight: number;
  /** Signature that a sender reported; null if none. */
  named: string | null;
  /** The only signature that can have executed the transfer, if known. */
  only: string | null;
  isSubmitted: boolean;
  judge: (signature: string) => Promise<Judgement>;
}

/**
 * State of a transfer without a finding:
 * - open: it may still be executed.
 * - unfinal: it was executed in a block that is not final.
 * - searching, more: it has expired, and the search is unfinished. With `more`, the search can continue immediately.
 * - absent: it was not executed and never will be.
 */
export type Seen = Finding | 'open' | 'unfinal' | 'searching' | 'more' | 'absent';

/** Looks up whether a transfer was executed. Only a finding and `absent` are final. */
export async function lookForExecution(node: SolanaNode, search: ExecutionSearch, sought: Sought): Promise<Seen> {
  const { transfer, fromSlot, expiresHeight, named, only, isSubmitted, judge } = sought;
  if (named !== null && isSignature(named)) {
    const judgement = await judge(named);
    if (typeof judgement === 'object') return judgement;
    if (judgement === 'unknown' && (await awaitsFinality(node, named))) return 'unfinal';
  }
  // Reads the position before the search, because an empty search is conclusive only after the expiry.
  const { slot, height } = await node.position('finalized');
  const isLate = height > expiresHeight + EXPIRY_MARGIN_BLOCKS;
  const wanted = { transfer, fromSlot, slot, only, judge };
  const blockhash = isLate ? await node.blockhash(transfer.recentBlockhash, slot) : null;
  if (blockhash && !blockhash.isValid) return (await search.walk({ ...wanted, slot: blockhash.slot })) ?? 'searching';
  // Skips transfers that were never submitted, or have a known signature.
  return (isSubmitted && only === null ? await search.probe(wanted) : null) ?? 'open';
}

async function awaitsFinality(node: SolanaNode, signature: string): Promise<boolean> {
  const status = await node.status(signature);
  return status !== null && status.error === null && status.commitment !== 'finalized';
}
