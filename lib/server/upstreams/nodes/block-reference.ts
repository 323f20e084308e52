import { type HeightFinder, NO_HEIGHT_FINDER } from './height-finders';
import type { HeadCommitment } from './head-height';

/** What an answer is made of, since nodes keep one kind for longer than another. */
export const CHAIN_DATA = ['state', 'history', 'trace'] as const;
export type ChainData = (typeof CHAIN_DATA)[number];

/** The place in the chain that a call is about. */
export interface BlockReference {
  /** The head, as of `latest`; a block by number, or a range by its upper end; a block by hash; a transaction. */
  readonly at: 'head' | 'number' | 'hash' | 'transaction';
  readonly commitment: HeadCommitment;
  /** The number that is named; of a read of Solana's head the least slot that its caller demands. Null for none. */
  readonly height: number | null;
  /** The hash of the block, or the id of the transaction, as `BlockIndex` knows it. Null for none. */
  readonly id: string | null;
  /** Further transactions that are asked about. */
  readonly moreIds: readonly string[];
  /** The address whose pending state is read, in lower case; null for none. */
  readonly sender: string | null;
  /** Blocks that a range spans; null for no range, or one whose ends are not both numbers. */
  readonly span: number | null;
  /** Whether the answer is a list over several blocks, of which a node that is behind has the first alone. */
  readonly isRange: boolean;
  readonly data: ChainData;
  /**
   * What the answer says: `head`, how far the node is, so that an answer can be seen to be older than another; `block`,
   * only that there is a block of this height; `nothing`, as a balance does.
   */
  readonly tells: 'head' | 'block' | 'nothing';
  readonly heightIn: HeightFinder;
  /** By which name the answer tells the hash of its block; null where it tells none. */
  readonly hashName: 'hash' | 'blockHash' | null;
}

/** A read of the head whose answer does not tell a block. Other references begin as this one. */
export const HEAD_STATE: BlockReference = {
  at: 'head',
  commitment: 0,
  height: null,
  id: null,
  moreIds: [],
  sender: null,
  span: null,
  isRange: false,
  data: 'state',
  tells: 'nothing',
  heightIn: NO_HEIGHT_FINDER,
  hashName: null,
};
