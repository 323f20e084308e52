import type { Finding } from '../rail';
import { HistoryScan } from './history-scan';
import { HistoryWalk } from './history-walk';
import type { SolanaNode } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/** Calls of one look: what is left is done by the next. */
const PAGES_MAX = 6;
const TRANSACTIONS_MAX = 8;
/** Between two probes for one payment. */
const PROBE_MS = 1_000;
const PROBE_MS_MAX = 30_000;
/** Payments of which it is remembered what was probed. */
const PROBED_MAX = 512;
/** Transactions that walks keep, all of them together: some 60 MB. */
const KEPT_IN_ALL = 400_000;
/** What keeps less than this part of that is never dropped for it. */
const LARGE_PART = 1_024;
/** A walk that nobody goes on with: the payment has ended elsewhere. */
const WALK_STALE_MS = 3_600_000;

/** What a transaction has to do with a payment: nothing, or not known while the node does not have it. */
export type Judgement = Finding | 'other' | 'unknown';

/** What is searched for: the execution of a message, whoever sent it, in a block from `fromSlot` on. */
export interface Wanted {
  transfer: SolanaTransfer;
  fromSlot: number;
  /** A finalized slot that whichever node answers must have come to. */
  slot: number;
  /** The signature of the execution, where it can have no other. */
  only: string | null;
  judge: (signature: string) => Promise<Judgement>;
}

interface Probed {
  /** Transactions that are none of this message. */
  readonly others: Set<string>;
  probes: number;
  nextAt: number;
  probing: Promise<Finding | null> | null;
}

interface Walking {
  readonly walk: HistoryWalk;
  /** Signatures that are yet to be looked at. */
  readonly candidates: string[];
  touchedAt: number;
}

/**
 * Finds the transaction that executed a payment of which no signature is known, or a wrong one. It stands in the
 * histories of two accounts, the payer's and the receiver's, and anybody can fill either: so both are read, and what
 * stands in both, or carries the payment's memo, is looked at. What a look may ask of nodes is bounded, and the next
 * goes on where it ended; only slots in which the payment could be executed count, so that a walk has an end however
 * much strangers send, before or after.
 */
export class ExecutionSearch {
  readonly #probed = new Map<string, Probed>();
  /** In the order in which they began. Only payments that are recorded get here, and of those only so many are open. */
  readonly #walking = new Map<string, Walking>();

  constructor(
    private readonly node: SolanaNode,
    private readonly now: () => number,
    private readonly keptInAll: number = KEPT_IN_ALL,
  ) {}

  /** How many transactions are kept. */
  get kept(): number {
    return [...this.#walking.values()].reduce((sum, each) => sum + sizeOf(each), 0);
  }

  /**
   * Looks at what came lately, while the payment may still be executed. Asks less often from one time to the next.
   * @returns null where nothing was found, which proves nothing
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
      // What was found must be found again by whoever asks next.
      if (typeof judgement === 'object') return judgement;
      if (judgement === 'other') probed.others.add(signature);
    }
    probed.nextAt = this.now() + Math.min(PROBE_MS * 2 ** probed.probes++, PROBE_MS_MAX);
    return null;
  }

  /**
   * Goes on through both histories, once the payment can no longer be executed, as of `wanted.slot`.
   * @returns 'absent' where all was read and it is not there; 'more' where the next look gets further at once; null
   *   where the nodes do not have all of it now
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
        // Whoever has not seen the payment cannot copy its memo.
        if (isMemoOf(transfer, memo)) candidates.unshift(signature);
        else candidates.push(signature);
      }
    }
    const { found, isFurther } = await this.#judge(wanted, candidates);
    if (found) return found;
    if (candidates.length > 0 || !walk.isAtEnd) return isFurther || pages > 0 ? 'more' : null;
    // A list that ends early may be one of a node that has forgotten the rest.
    if (walk.isPastStart || (await this.node.firstAvailableSlot()) <= wanted.fromSlot) return 'absent';
    this.#walking.delete(transfer.messageHash);
    return null;
  }

  /** Looks at the first candidates. What the node does not have is looked at again, after the others. */
  async #judge({ judge }: Wanted, candidates: string[]): Promise<{ found: Finding | null; isFurther: boolean }> {
    let isFurther = false;
    for (let count = Math.min(candidates.length, TRANSACTIONS_MAX); count > 0; count--) {
      const signature = candidates[0] as string;
      const judgement = await judge(signature);
      // It stays the first: whoever asks next must find it again.
      if (typeof judgement === 'object') return { found: judgement, isFurther };
      candidates.shift();
      if (judgement === 'other') isFurther = true;
      else candidates.push(signature);
    }
    return { found: null, isFurther };
  }

  /**
   * Where all keep too much together, those that have much begin anew, the latest first: so the others are not held up,
   * and the earliest come to their end.
   */
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

  #probedOf({ messageHash }: SolanaTransfer): Probed {
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

function isMemoOf({ memo: ours }: SolanaTransfer, memo: string | null | undefined): boolean {
  return ours !== null && memo === ours;
}
