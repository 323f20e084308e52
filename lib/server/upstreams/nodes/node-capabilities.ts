import type { BlockReference, ChainData } from './block-reference';
import type { ErrorMeaning } from './error-meaning';

/** How long what a node cannot do is remembered: it may be upgraded, or its plan. */
const REMEMBERED_MS = 600_000;
/** Nearer to a node's head than this, state that it lacks may only be late. */
const SETTLED_BLOCKS = 64;

/** An error that says what a node cannot do, and the call that it answered. */
export interface CapabilityError {
  method: string;
  reference: BlockReference | null;
  message: string;
  /** The head of the node; 0 where it is not known. */
  headHeight: number;
}

interface Limit {
  value: number;
  until: number;
}

/** What one node was found not to do, for a while. Bounded by the methods that are listed. Times are of `performance.now()`. */
export class NodeCapabilities {
  readonly #missingMethods = new Map<string, number>();
  readonly #prunedBelow = new Map<ChainData, Limit>();
  #rangeMax: Limit | null = null;

  learn(meaning: ErrorMeaning, error: CapabilityError, now: number): void {
    const { method, reference } = error;
    if (meaning === 'no-method') this.#missingMethods.set(method, now + REMEMBERED_MS);
    else if (meaning === 'range-limit') this.#learnRange(error, now);
    else if (meaning === 'pruned' && reference) this.#learnPruned(reference, error, now);
  }

  /** Whether the node is known not to serve such a call. */
  lacks(method: string, reference: BlockReference | null, now: number): boolean {
    if (now < (this.#missingMethods.get(method) ?? 0)) return true;
    if (reference?.at !== 'number') return false;
    if (reference.span !== null && reference.span > (this.rangeBlocksMax(now) ?? Infinity)) return true;
    return lowEndOf(reference) < (this.prunedBelow(reference.data, now) ?? 0);
  }

  /** Most blocks of a range that the node serves; null where no limit is known. */
  rangeBlocksMax(now: number): number | null {
    return valueOf(this.#rangeMax, now);
  }

  /** The first block of which the node has such data; null where none is known to be missing. */
  prunedBelow(data: ChainData, now: number): number | null {
    return valueOf(this.#prunedBelow.get(data) ?? null, now);
  }

  /** Methods that the node does not serve. */
  missingMethods(now: number): string[] {
    return Array.from(this.#missingMethods).flatMap(([method, until]) => (now < until ? method : []));
  }

  #learnRange({ reference, message }: CapabilityError, now: number): void {
    const span = reference?.span ?? null;
    if (span === null || span < 2) return;
    // A limit on results says nothing of ranges: the next one may be full of them, or empty.
    if (/results|logs|events|response|result set/i.test(message) && !/block|range/i.test(message)) return;
    const value = Math.min(statedRange(message, span) ?? span - 1, this.rangeBlocksMax(now) ?? Infinity);
    this.#rangeMax = { value, until: now + REMEMBERED_MS };
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

/** The number of blocks by which a provider states its limit, if it fits the range that it refused. */
function statedRange(message: string, span: number): number | null {
  for (const [, digits = '', thousands] of message.matchAll(/(?<![\w.])(\d[\d,_]{0,8})( ?k)?\b/gi)) {
    const blocks = Number(digits.replace(/[,_]/g, '')) * (thousands ? 1_000 : 1);
    if (blocks >= 1 && blocks < span) return blocks;
  }
  return null;
}

function valueOf(limit: Limit | null, now: number): number | null {
  return limit !== null && now < limit.until ? limit.value : null;
}

function lowEndOf({ height, span }: BlockReference): number {
  return (height ?? 0) - (span ?? 1) + 1;
}
