import { type HeightFinder, NO_HEIGHT_FINDER } from './height-finders';
import type { HeadCommitment } from './head-height';

/** Kinds of chain data. Nodes keep some kinds longer than others. */
export const CHAIN_DATA = ['state', 'history', 'trace'] as const;
export type ChainData = (typeof CHAIN_DATA)[number];

export interface BlockReference {
  /** What the call refers to: the head (`latest`), a number or upper end of a range, a block hash, or a transaction. */
  readonly at: 'head' | 'number' | 'hash' | 'transaction';
  readonly commitment: HeadCommitment;
  /** Requested block number, or `minContextSlot` of a Solana read of the head; null if none. */
  readonly height: number | null;
  /** Block hash or transaction id, as in `BlockIndex`; null if none. */
  readonly id: string | null;
  readonly moreIds: readonly string[];
  /** Address whose pending state is read, in lower case; null if none. */
  readonly sender: string | null;
  /** Number of blocks in a range; null unless both ends are numbers. */
  readonly span: number | null;
  /** True for lists over several blocks, which a lagging node returns incomplete. */
  readonly isRange: boolean;
  readonly data: ChainData;
  /**
   * What the answer reveals. `head`: the node's height, which identifies outdated answers. `block`: only that this
   * block exists. `nothing`: no block, as for a balance.
   */
  readonly tells: 'head' | 'block' | 'nothing';
  readonly heightIn: HeightFinder;
  /** Member of the answer that holds its block hash; null if none. */
  readonly hashName: 'hash' | 'blockHash' | null;
}

/** Reference for reads of the head whose answer reveals no block. */
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
