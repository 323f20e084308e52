import type { BlockReference, ChainData } from './block-reference';
import type { ErrorMeaning } from './error-meaning';

/** Time after which a missing capability is forgotten. The node or its plan may have been upgraded. */
const REMEMBERED_MS = 600_000;
/**
 * A node that lacks the state of a block this close to the head may only lag, so the state does not count as pruned.
 */
const SETTLED_BLOCKS = 64;

export interface CapabilityError {
  method: string;
  reference: BlockReference | null;
  message: string;
  /** Height of the node's head; 0 if unknown. */
  headHeight: number;
}

interface Limit {
  value: number;
  until: number;
}

/**
 * Remembers for a while which calls a node cannot serve. Its size is limited by the number of listed methods. Times are
 * values of `performance.now()`.
 */
export class NodeCapabilities {
  readonly #missingMethods = new Map<string, number>();
  readonly #prunedBelow = new Map<ChainData, Limit>();
  #rangeMax: (Limit & { isStated: boolean }) | null = null;
  /** Number of blocks in the widest range that the node has served within its known limit. */
  #rangeServed = 0;

  learn(meaning: ErrorMeaning, error: CapabilityError, now: number): void {
    const { method, reference } = error;
    if (meaning === 'no-method') this.#missingMethods.set(method, now + REMEMBERED_MS);
    else if (meaning === 'range-limit') this.#learnRange(error, now);
    else if (meaning === 'pruned' && reference) this.#learnPruned(reference, error, now);
  }

  lacks(method: string, reference: BlockReference | null, now: number): boolean {
    if (now < (this.#missingMethods.get(method) ?? 0)) return true;
    if (reference?.at !== 'number') return false;
    if (reference.span !== null && reference.span > (this.rangeBlocksMax(now) ?? Infinity)) return true;
    return lowEndOf(reference) < (this.prunedBelow(reference.data, now) ?? 0);
  }

  rangeBlocksMax(now: number): number | null {
    return valueOf(this.#rangeMax, now);
  }

  /**
   * Returns how many blocks to request at a time; null if no limit is known. If the node states no limit, estimates a
   * limit from the ranges that it served and refused.
   */
  rangeBlocksToAsk(now: number): number | null {
    const max = this.rangeBlocksMax(now);
    if (max === null || this.#rangeMax?.isStated) return max;
    return Math.min(max, this.#rangeServed || Math.ceil(max / 2));
  }

  servedRange(blocks: number): void {
    if (blocks > this.#rangeServed) this.#rangeServed = blocks;
  }

  /** Returns the block below which the node lacks data of this kind; null if unknown. */
  prunedBelow(data: ChainData, now: number): number | null {
    return valueOf(this.#prunedBelow.get(data) ?? null, now);
  }

  missingMethods(now: number): string[] {
    return Array.from(this.#missingMethods).flatMap(([method, until]) => (now < until ? method : []));
  }

  #learnRange({ reference, message }: CapabilityError, now: number): void {
    const span = reference?.span ?? null;
    if (span === null || span < 2) return;
    // A limit on the number of results says nothing about the width of a range.
    if (RESULTS_LIMIT.test(message)) return;
    const stated = statedRange(message, span);
    const known = this.#rangeMax !== null && now < this.#rangeMax.until ? this.#rangeMax : null;
    const value = stated ?? span - 1;
    const limit = known !== null && known.value <= value ? known : { value, isStated: stated !== null };
    this.#rangeMax = { ...limit, until: now + REMEMBERED_MS };
    if (this.#rangeServed > limit.value) this.#rangeServed = 0;
  }

  #learnPruned(reference: BlockReference, { message, headHeight }: CapabilityError, now: number): void {
    if (reference.at !== 'number') return;
    const low = lowEndOf(reference);
    if (headHeight === 0 || low > headHeight - SETTLED_BLOCKS) return;
    const stated = Number(/first available block: (\d{1,15})/i.exec(message)?.[1] ?? 0);
    const value = Math.max(low + 1, stated <= headHeight ? stated : 0, this.prunedBelow(reference.data, now) ?? 0);
    this.#prunedBelow.set(reference.data, { value, until: now + REMEMBERED_MS });
  }
}

const RESULTS_LIMIT =
  /\b(results|logs|events)\b.{0,20}(matched|exceed|limit)|(more than|exceeds?|max(imum)?|too many|limit(ed)?|number of|cap of)\b[^.]{0,20}\b(results|logs|events)\b|response\b.{0,12}(size|too|big|large)|result set|size of the (result|response)/i;

const BLOCKS = /(?<![\w.])(\d[\d,_]{0,8})( ?k)?\b(?! ?(results|logs|events))/gi;
const LIMIT_WORDS =
  /(max\w*|limit\w*|up to|at most|exceed\w*|allowed|(greater|more|smaller|less|larger|wider) than|over|set to)\b[^\d]{0,40}$/i;

/** Returns the limit in blocks that a provider states; null if it states none below the refused range. */
function statedRange(message: string, span: number): number | null {
  for (const { 0: text, 1: digits = '', 2: thousands, index } of message.matchAll(BLOCKS)) {
    const blocks = Number(digits.replace(/[,_]/g, '')) * (thousands ? 1_000 : 1);
    if (blocks < 1 || blocks >= span) continue;
    if (LIMIT_WORDS.test(message.slice(0, index)) || /^[- ]?blocks?\b/i.test(message.slice(index + text.length)))
      return blocks;
  }
  return null;
}

function valueOf(limit: Limit | null, now: number): number | null {
  return limit !== null && now < limit.until ? limit.value : null;
}

function lowEndOf({ height, span }: BlockReference): number {
  return (height ?? 0) - (span ?? 1) + 1;
}
