import type { Finding } from '../rail';
import { HistoryScan } from './history-scan';
import type { SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/** Calls of one search: what is left is done by the next. */
const PAGES_MAX = 6;
const TRANSACTIONS_MAX = 8;
/** Between two probes for one payment. */
const PROBE_MS = 1_000;
const PROBE_MS_MAX = 30_000;
/** Payments of which it is remembered how far their search is. */
const REMEMBERED_MAX = 512;
/** Transactions that are remembered for all of them together: some 60 MB. */
const KEPT_IN_ALL = 400_000;
/** What remembers less than this part of that is never forgotten for it. */
const LARGE_PART = 2 * REMEMBERED_MAX;

/** What a transaction has to do with a payment: nothing, or not known while the node does not have it. */
export type Judgement = Finding | 'other' | 'unknown';
type Judge = (signature: string) => Promise<Judgement>;

/** What is searched for: the execution of a message, whoever sent it, in a block from `fromSlot` on. */
export interface Wanted {
  transfer: SolanaTransfer;
  fromSlot: number;
  /** A finalized slot that whichever node answers must have come to. */
  slot: number;
  judge: Judge;
}

interface Progress {
  /** Counts those that began before. */
  readonly order: number;
  /** Transactions that are none of this message. */
  readonly others: Set<string>;
  probes: number;
  nextProbeAt: number;
  probing: Promise<Finding | null> | null;
  /** The walk to the end, once it has begun. */
  walk: { source: HistoryScan; receiver: HistoryScan } | null;
}

/**
 * Finds the transaction that executed a payment of which no signature is known, or a wrong one. It stands in the
 * histories of two accounts, the payer's and the receiver's, and anybody can fill either: so both are read, and what
 * stands in both, or carries the payment's memo, is looked at. What a search may ask of nodes is bounded; the next goes
 * on where it ended.
 */
export class ExecutionSearch {
  readonly #progress = new Map<string, Progress>();
  #begun = 0;

  constructor(
    private readonly node: SolanaNode,
    private readonly now: () => number,
    private readonly keptInAll: number = KEPT_IN_ALL,
  ) {}

  /** How many transactions are remembered. */
  get kept(): number {
    return [...this.#progress.values()].reduce((sum, each) => sum + sizeOf(each), 0);
  }

  /**
   * Looks at what came lately, while the payment may still be executed. Asks less often from one time to the next.
   * @returns null where nothing was found, which proves nothing
   */
  probe(wanted: Wanted): Promise<Finding | null> {
    const progress = this.#of(wanted.transfer);
    if (progress.probing) return progress.probing;
    if (this.now() < progress.nextProbeAt) return Promise.resolve(null);
    progress.probing = this.#probe(wanted, progress).finally(() => {
      progress.probing = null;
    });
    return progress.probing;
  }

  async #probe(wanted: Wanted, progress: Progress): Promise<Finding | null> {
    const { source, receiver } = this.#scans(wanted, 'all');
    await source.next(wanted.slot);
    await receiver.next(wanted.slot);
    const { found } = await this.#judge(wanted, progress, source, receiver);
    // What was found must be found again by whoever asks next.
    if (!found) progress.nextProbeAt = this.now() + Math.min(PROBE_MS * 2 ** progress.probes++, PROBE_MS_MAX);
    return found;
  }

  /**
   * Goes on through both histories, once the payment can no longer be executed.
   * @returns 'absent' where both were read to the end and it is not there; null where there is more to read
   */
  async walk(wanted: Wanted): Promise<Finding | 'absent' | null> {
    const outcome = await this.#walk(wanted);
    if (outcome === null) this.#shed();
    else if (outcome === 'absent' || outcome.outcome !== 'possible') this.#progress.delete(wanted.transfer.messageHash);
    return outcome;
  }

  async #walk(wanted: Wanted): Promise<Finding | 'absent' | null> {
    const progress = this.#of(wanted.transfer);
    const { source, receiver } = (progress.walk ??= this.#scans(wanted, 'shared'));
    for (let pages = 0; pages < PAGES_MAX && !receiver.isAtEnd; pages++) await (source.isAtEnd ? receiver : source).next(wanted.slot);
    const { found, isComplete } = await this.#judge(wanted, progress, source, receiver);
    if (found) return found;
    if (!isComplete || !receiver.isAtEnd) return null;
    if (source.isCut || receiver.isCut) {
      progress.walk = null;
      return null;
    }
    // A list that ends early may be one of a node that has forgotten the rest.
    if (source.isPastStart && receiver.isPastStart) return 'absent';
    if ((await this.node.firstAvailableSlot()) <= wanted.fromSlot) return 'absent';
    progress.walk = null;
    return null;
  }

  /**
   * Where all remember too much together, those whose accounts were filled begin anew, the latest first: so the others
   * are not held up, and the earliest come to their end.
   */
  #shed(): void {
    let kept = this.kept;
    if (kept <= this.keptInAll) return;
    const large = [...this.#progress.values()].filter((each) => sizeOf(each) > this.keptInAll / LARGE_PART);
    for (const progress of large.sort((a, b) => b.order - a.order)) {
      if (kept <= this.keptInAll) return;
      kept -= sizeOf(progress);
      progress.walk = null;
      progress.others.clear();
    }
  }

  async #judge({ transfer, judge }: Wanted, { others }: Progress, source: HistoryScan, receiver: HistoryScan): Promise<{ found: Finding | null; isComplete: boolean }> {
    const withMemo = [source, receiver].flatMap(({ kept }) => [...kept].filter(([, memo]) => isMemoOf(transfer, memo)).map(([signature]) => signature));
    const inBoth = [...source.kept.keys()].filter((signature) => receiver.kept.has(signature));
    const candidates = [...new Set([...withMemo, ...inBoth])].filter((signature) => !others.has(signature));
    let isComplete = candidates.length <= TRANSACTIONS_MAX;
    for (const signature of candidates.slice(0, TRANSACTIONS_MAX)) {
      const judgement = await judge(signature);
      if (judgement === 'other') others.add(signature);
      else if (judgement === 'unknown') isComplete = false;
      else return { found: judgement, isComplete };
    }
    return { found: null, isComplete };
  }

  /**
   * What failed is looked at where its memo says that it is this payment; without that it expires soon enough.
   * @param kept what the receiver's history keeps of what has another memo: all, or what the payer's has kept too
   */
  #scans({ transfer, fromSlot }: Wanted, kept: 'all' | 'shared'): { source: HistoryScan; receiver: HistoryScan } {
    const source = new HistoryScan(this.node, transfer.source, fromSlot, ({ err, memo }) => err === null || isMemoOf(transfer, memo));
    const isKept = (signature: string): boolean => kept === 'all' || source.kept.has(signature);
    const receiver = new HistoryScan(this.node, transfer.destination, fromSlot, ({ signature, err, memo }) => isMemoOf(transfer, memo) || (err === null && isKept(signature)));
    return { source, receiver };
  }

  #of({ messageHash }: SolanaTransfer): Progress {
    const progress = this.#progress.get(messageHash) ?? { order: this.#begun++, others: new Set(), probes: 0, nextProbeAt: 0, probing: null, walk: null };
    this.#progress.delete(messageHash);
    this.#progress.set(messageHash, progress);
    for (const [oldest] of this.#progress) {
      if (this.#progress.size <= REMEMBERED_MAX) break;
      this.#progress.delete(oldest);
    }
    return progress;
  }
}

function sizeOf({ walk, others }: Progress): number {
  return (walk ? walk.source.kept.size + walk.receiver.kept.size : 0) + others.size;
}

function isMemoOf({ memo: ours }: SolanaTransfer, memo: string | null | undefined): boolean {
  return ours !== null && memo === ours;
}
