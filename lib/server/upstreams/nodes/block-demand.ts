import type { BlockReference } from './block-reference';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

/** How to treat a result that may be empty or incomplete because the node lags. */
export type EmptyVerdict = 'answer' | 'ask others' | 'no answer';

interface BlockDemandFacts {
  floor: HeadFloor | null;
  preferred?: UpstreamNode | null;
  /** True if the caller has seen that the block or transaction exists. */
  isTold?: boolean;
  /** True if any node is known to have the block or transaction. */
  isPlaced?: boolean;
}

/** What a call requires of the node that answers: a minimum head, and a preferred node. */
export class BlockDemand {
  readonly floor: HeadFloor | null;
  readonly preferred: UpstreamNode | null;
  readonly #isTold: boolean;
  readonly #isPlaced: boolean;

  constructor(
    readonly reference: BlockReference,
    { floor, preferred = null, isTold = false, isPlaced = true }: BlockDemandFacts,
  ) {
    this.floor = floor;
    this.preferred = preferred;
    this.#isTold = isTold;
    this.#isPlaced = isPlaced;
  }

  preferring(node: UpstreamNode): BlockDemand {
    return new BlockDemand(this.reference, {
      floor: this.floor,
      preferred: node,
      isTold: this.#isTold,
      isPlaced: this.#isPlaced,
    });
  }

  /** Returns whether the node is preferred and has the block. For a read of the head, any block is enough. */
  prefers(node: UpstreamNode): boolean {
    return node === this.preferred && (this.reference.at === 'head' || this.#isAtFloor(node));
  }

  #isAtFloor({ heads }: UpstreamNode): boolean {
    return this.floor === null || heads === null || heads.isAt(this.floor);
  }

  isOlder(node: UpstreamNode | undefined): boolean {
    return (
      node !== undefined && this.reference.at === 'head' && this.reference.tells === 'nothing' && !this.#isAtFloor(node)
    );
  }

  /** Returns whether to ignore "block not found" from this node, because the node is behind and the block exists. */
  disbelieves(node: UpstreamNode): boolean {
    return this.#isTold && !this.#isAtFloor(node);
  }

  /** Judges a result that is null, an empty list, or a list whose last items may be missing. */
  judge(node: UpstreamNode, { isEmpty, isNull }: { isEmpty: boolean; isNull: boolean }): EmptyVerdict {
    const { at, isRange } = this.reference;
    if (isRange && !this.#isAtFloor(node)) return at === 'head' || this.#isTold ? 'no answer' : 'ask others';
    if (at === 'head' || !isEmpty) return 'answer';
    if (!this.#isPlaced || !this.#isAtFloor(node)) return this.#isTold ? 'no answer' : 'ask others';
    if (this.preferred !== null && node !== this.preferred) return 'ask others';
    // A node may be several machines. The machine that answered null may lag behind the machine that reported a head.
    return isNull && this.#isTold && this.reference.tells !== 'nothing' ? 'ask others' : 'answer';
  }
}
