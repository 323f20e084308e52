import type { HeadCommitment } from './head-height';
import type { UpstreamNode } from './upstream-node';

/** Entries of each kind that are kept, the oldest the first to go. */
const ENTRIES_MAX = 5_000;
/** How long look-ups of a transaction go first to the node that took it or told of it. */
const FOLLOWED_MS = 15_000;

/** What is known of a transaction. */
export interface KnownTransaction {
  /** The block, or slot, that it is in; null where it was only sent, or is pending. */
  height: number | null;
  /** At which commitment it was told to be there. */
  commitment: HeadCommitment;
  /** The node that took it or told of it, and until when that counts. */
  node: UpstreamNode;
  followedUntil: number;
}

/**
 * Blocks and transactions that nodes of a network told of: at which height a hash is, and who knows a transaction. Ids are
 * as block references have them. Times are of `performance.now()`.
 */
export class BlockIndex {
  readonly #heights = new Map<string, number>();
  readonly #transactions = new Map<string, KnownTransaction>();

  /** Null where no node told of it. */
  heightOf(hash: string): number | null {
    return this.#heights.get(hash) ?? null;
  }

  transaction(id: string): KnownTransaction | null {
    return this.#transactions.get(id) ?? null;
  }

  noteBlock(hash: string, height: number): void {
    put(this.#heights, hash, height);
  }

  /** A node took the transaction, or told of it. What is known of its block is kept. */
  noteTransaction(
    id: string,
    node: UpstreamNode,
    { height, commitment }: Pick<KnownTransaction, 'height' | 'commitment'>,
    now: number,
  ): void {
    const known = this.#transactions.get(id);
    const place =
      height === null && known ? { height: known.height, commitment: known.commitment } : { height, commitment };
    put(this.#transactions, id, { ...place, node, followedUntil: now + FOLLOWED_MS });
  }
}

function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > ENTRIES_MAX) map.delete(map.keys().next().value as string);
}
