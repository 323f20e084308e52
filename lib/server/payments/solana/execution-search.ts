import type { Finding } from '../rail';
import { HistoryScan, HistoryWalk, type SoughtTransfer } from './history-walk';
import { isSignature, type SolanaNode } from './solana-node';

/** Number of blocks to wait after the expiry before the last search. */
const EXPIRY_MARGIN_BLOCKS = 32;
/** Time between lookups while a search continues. */
export const SEARCH_LOOK_MS = 1_000;

export interface Sought {
  transfer: SoughtTransfer;
  /** Slot before which the transfer cannot have been executed. */
  fromSlot: number;
  expiresHeight: number;
  /** Signature that a sender reported; null if no sender did. */
  named: string | null;
  /** The only signature with which the transfer can have been executed; null if several are possible. */
  only: string | null;
  isSubmitted: boolean;
  judge: (signature: string) => Promise<Judgement>;
}

/**
 * A finding, or else the state of the transfer:
 * - open: it may still be executed.
 * - unfinal: it was executed in a block that is not final.
 * - searching, more: it has expired, and the search is unfinished. After `more`, the search can continue immediately.
 * - absent: it was not executed and never will be.
 */
export type Seen = Finding | 'open' | 'unfinal' | 'searching' | 'more' | 'absent';

/** Finds out whether a transfer was executed. Only `paid`, `impossible` and `absent` are definitive. */
export async function lookForExecution(node: SolanaNode, search: ExecutionSearch, sought: Sought): Promise<Seen> {
  const { transfer, fromSlot, expiresHeight, named, only, isSubmitted, judge } = sought;
  if (named !== null && isSignature(named)) {
    const judgement = await judge(named);
    if (typeof judgement === 'object') return judgement;
    if (judgement === 'unknown' && (await awaitsFinality(node, named))) return 'unfinal';
  }
  // Reads the finalized position before the search. A search that finds nothing is conclusive only if the transfer had
  // expired at that position.
  const { slot, height } = await node.position('finalized');
  const isLate = height > expiresHeight + EXPIRY_MARGIN_BLOCKS;
  const wanted = { transfer, fromSlot, slot, only, judge };
  const blockhash = isLate ? await node.blockhash(transfer.recentBlockhash, slot) : null;
  if (blockhash && !blockhash.isValid) return (await search.walk({ ...wanted, slot: blockhash.slot })) ?? 'searching';
  // Does not search for a transfer that was never submitted, or whose signature is known.
  return (isSubmitted && only === null ? await search.probe(wanted) : null) ?? 'open';
}

async function awaitsFinality(node: SolanaNode, signature: string): Promise<boolean> {
  const status = await node.status(signature);
  return status !== null && status.error === null && status.commitment !== 'finalized';
}

/** Maximum node calls in one lookup. The next lookup continues the search. */
const PAGES_MAX = 6;
const TRANSACTIONS_MAX = 8;
/** Minimum time between two probes for one payment. */
const PROBE_MS = 1_000;
const PROBE_MS_MAX = 30_000;
const PROBED_MAX = 512;
/** Maximum transactions that all walks (`HistoryWalk`) store together, about 60 MB. */
const KEPT_IN_ALL = 400_000;
/** A walk that stores less than 1/1024 of `KEPT_IN_ALL` is never dropped to free memory. */
const LARGE_PART = 1_024;
const WALK_STALE_MS = 3_600_000;

/**
 * How a transaction relates to a payment: a finding, `other` if it is unrelated, or `unknown` if the node does not have
 * the transaction.
 */
export type Judgement = Finding | 'other' | 'unknown';

/** What to search for: the execution of a message, by any sender, from `fromSlot` on. */
export interface Wanted {
  transfer: SoughtTransfer;
  fromSlot: number;
  /** Finalized slot that a node must have reached for its answer to count. */
  slot: number;
  /** The only possible signature; null if unknown. */
  only: string | null;
  judge: (signature: string) => Promise<Judgement>;
}

interface Probed {
  /** Transactions known to execute other messages. */
  readonly others: Set<string>;
  probes: number;
  nextAt: number;
  probing: Promise<Finding | null> | null;
}

interface Walking {
  readonly walk: HistoryWalk;
  readonly candidates: string[];
  touchedAt: number;
}

/**
 * Finds the transaction that executed a payment whose signature is unknown or wrong. Reads the histories of the payer's
 * and the receiver's accounts. Anyone can fill one history, so only entries in both, or with the payment's memo, are
 * examined. Each lookup is limited, and the next lookup continues the search (`HistoryWalk`). The search covers only
 * the slots in which the payment can have been executed, so strangers cannot prolong it forever.
 */
export class ExecutionSearch {
  readonly #probed = new Map<string, Probed>();
  /** Running walks, oldest first. There are at most as many walks as open payments. */
  readonly #walking = new Map<string, Walking>();

  constructor(
    private readonly node: SolanaNode,
    private readonly now: () => number,
    private readonly keptInAll: number = KEPT_IN_ALL,
  ) {}

  get kept(): number {
    return [...this.#walking.values()].reduce((sum, each) => sum + sizeOf(each), 0);
  }

  /**
   * Searches recent transactions, at growing intervals, while the payment may still be executed.
   *
   * @returns null if nothing was found; the payment may still have been executed
   */
  probe(wanted: Wanted): Promise<Finding | null> {
    const probed = this.#probedOf(wanted.transfer);
    if (probed.probing) return probed.probing;
    if (this.now() < probed.nextAt) return Promise.resolve(null);
    probed.probing = this.#probe(wanted, probed).finally(() => {
      probed.probing = null;
    });
    return probed.probing;
  }

  async #probe({ transfer, fromSlot, slot, judge }: Wanted, probed: Probed): Promise<Finding | null> {
    const isOurs = (memo: string | null | undefined): boolean => isMemoOf(transfer, memo);
    const ofSource = await new HistoryScan(this.node, transfer.source, fromSlot).next(slot);
    const ofReceiver = await new HistoryScan(this.node, transfer.destination, fromSlot).next(slot);
    const received = new Set(ofReceiver.map(({ signature }) => signature));
    const candidates = new Set([
      ...[...ofSource, ...ofReceiver].filter(({ memo }) => isOurs(memo)).map(({ signature }) => signature),
      ...ofSource
        .filter(({ signature, err }) => err === null && received.has(signature))
        .map(({ signature }) => signature),
    ]);
    for (const signature of [...candidates].filter((each) => !probed.others.has(each)).slice(0, TRANSACTIONS_MAX)) {
      const judgement = await judge(signature);
      // A match is not added to `others`, so the next lookup finds it again.
      if (typeof judgement === 'object') return judgement;
      if (judgement === 'other') probed.others.add(signature);
    }
    probed.nextAt = this.now() + Math.min(PROBE_MS * 2 ** probed.probes++, PROBE_MS_MAX);
    return null;
  }

  /**
   * Continues to read both histories. Call this only when the payment can no longer be executed after `wanted.slot`.
   * @returns finding; 'absent' if both histories were read and contain no execution; 'more' if the next lookup can
   * continue immediately; null if the nodes currently lack part of a history
   */
  async walk(wanted: Wanted): Promise<Finding | 'absent' | 'more' | null> {
    const key = wanted.transfer.messageHash;
    const walking = this.#walkingOf(key, wanted);
    const outcome = await this.#read(wanted, walking);
    if (outcome === 'absent' || (outcome !== null && typeof outcome === 'object' && outcome.outcome !== 'possible')) {
      this.#walking.delete(key);
      this.#probed.delete(key);
    } else this.#shed();
    return outcome;
  }

  async #read(wanted: Wanted, { walk, candidates }: Walking): Promise<Finding | 'absent' | 'more' | null> {
    const { transfer } = wanted;
    const others = this.#probed.get(transfer.messageHash)?.others;
    let pages = 0;
    for (; pages < PAGES_MAX && candidates.length < TRANSACTIONS_MAX && !walk.isAtEnd; pages++) {
      for (const { signature, memo } of await walk.next(wanted.slot)) {
        if (others?.has(signature)) continue;
        // A transaction with the payment's memo is examined first, because only someone who has seen the payment can
        // copy its memo.
        if (isMemoOf(transfer, memo)) candidates.unshift(signature);
        else candidates.push(signature);
      }
    }
    const { found, isFurther } = await this.#judge(wanted, candidates);
    if (found) return found;
    if (candidates.length > 0 || !walk.isAtEnd) return isFurther || pages > 0 ? 'more' : null;
    // If the node's list ended before the start slot, the node may have deleted older entries. The walk then proves
    // nothing, unless the node still has the start slot.
    if (walk.isPastStart || (await this.node.firstAvailableSlot()) <= wanted.fromSlot) return 'absent';
    this.#walking.delete(transfer.messageHash);
    return null;
  }

  async #judge({ judge }: Wanted, candidates: string[]): Promise<{ found: Finding | null; isFurther: boolean }> {
    let isFurther = false;
    for (let count = Math.min(candidates.length, TRANSACTIONS_MAX); count > 0; count--) {
      const signature = candidates[0] as string;
      const judgement = await judge(signature);
      // A match stays first in the list, so the next lookup finds it again.
      if (typeof judgement === 'object') return { found: judgement, isFurther };
      candidates.shift();
      if (judgement === 'other') isFurther = true;
      else candidates.push(signature);
    }
    return { found: null, isFurther };
  }

  /** If all walks together store too much, drops large walks, newest first. A dropped walk starts again. */
  #shed(): void {
    let kept = this.kept;
    if (kept <= this.keptInAll) return;
    for (const [key, walking] of [...this.#walking].reverse()) {
      if (sizeOf(walking) <= this.keptInAll / LARGE_PART) continue;
      kept -= sizeOf(walking);
      this.#walking.delete(key);
      if (kept <= this.keptInAll) return;
    }
  }

  #walkingOf(key: string, { transfer, fromSlot, slot, only }: Wanted): Walking {
    const now = this.now();
    let walking = this.#walking.get(key);
    if (!walking) {
      for (const [each, { touchedAt }] of this.#walking)
        if (now - touchedAt > WALK_STALE_MS) this.#walking.delete(each);
      walking = {
        walk: new HistoryWalk(this.node, transfer, { fromSlot, toSlot: slot }, only),
        candidates: [],
        touchedAt: now,
      };
      this.#walking.set(key, walking);
    }
    walking.touchedAt = now;
    return walking;
  }

  #probedOf({ messageHash }: SoughtTransfer): Probed {
    const probed = this.#probed.get(messageHash) ?? { others: new Set(), probes: 0, nextAt: 0, probing: null };
    this.#probed.delete(messageHash);
    this.#probed.set(messageHash, probed);
    const [oldest] = this.#probed.keys();
    if (this.#probed.size > PROBED_MAX && oldest !== undefined) this.#probed.delete(oldest);
    return probed;
  }
}

function sizeOf({ walk, candidates }: Walking): number {
  return walk.size + candidates.length;
}

function isMemoOf({ memo: ours }: SoughtTransfer, memo: string | null | undefined): boolean {
  return ours !== null && memo === ours;
}
