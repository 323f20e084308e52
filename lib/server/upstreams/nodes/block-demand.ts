import type { BlockReference } from './block-reference';
import type { HeadFloor } from './node-heads';
import type { UpstreamNode } from './upstream-node';

/** What a result of a node is worth that may be empty, or lack its end, because the node is behind: the answer; the answer if the others say the same; or no answer at all. */
export type EmptyVerdict = 'answer' | 'ask others' | 'no answer';

export interface BlockDemandFacts {
  floor: HeadFloor | null;
  /** The node that is asked first, because it took or told of what is asked about. */
  preferred?: UpstreamNode | null;
  /** Whether somebody was told that the block or transaction is there. */
  isTold?: boolean;
  /** Whether it is known at all which nodes have it. */
  isPlaced?: boolean;
}

/** What a call demands of the node that answers it. */
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

  /** The same demand, with this node asked first. */
  preferring(node: UpstreamNode): BlockDemand {
    return new BlockDemand(this.reference, {
      floor: this.floor,
      preferred: node,
      isTold: this.#isTold,
      isPlaced: this.#isPlaced,
    });
  }

  /** Whether the node is to be asked before others: it knows the transaction, and is not behind its block for that. */
  prefers(node: UpstreamNode): boolean {
    return node === this.preferred && (this.reference.at === 'head' || this.#isAtFloor(node));
  }

  #isAtFloor({ heads }: UpstreamNode): boolean {
    return this.floor === null || heads === null || heads.isAt(this.floor);
  }

  /** Whether the state that this node answered with is of an older head than is demanded. */
  isOlder(node: UpstreamNode | undefined): boolean {
    return (
      node !== undefined && this.reference.at === 'head' && this.reference.tells === 'nothing' && !this.#isAtFloor(node)
    );
  }

  /** Whether “I do not have this block” of this node is no answer: it is behind, and the block is told to be there. */
  disbelieves(node: UpstreamNode): boolean {
    return this.#isTold && !this.#isAtFloor(node);
  }

  /** What a result of this node is worth that is `null`, an empty list, or a list that may lack its end. */
  judge(node: UpstreamNode, { isEmpty, isNull }: { isEmpty: boolean; isNull: boolean }): EmptyVerdict {
    const { at, isRange } = this.reference;
    if (isRange && !this.#isAtFloor(node)) return at === 'head' || this.#isTold ? 'no answer' : 'ask others';
    if (at === 'head' || !isEmpty) return 'answer';
    if (!this.#isPlaced || !this.#isAtFloor(node)) return this.#isTold ? 'no answer' : 'ask others';
    if (this.preferred !== null && node !== this.preferred) return 'ask others';
    // Of what is told to be there `null` is odd even so: behind one address there may be several nodes.
    return isNull && this.#isTold && this.reference.tells !== 'nothing' ? 'ask others' : 'answer';
  }
}
