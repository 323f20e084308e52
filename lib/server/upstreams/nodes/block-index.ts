import type { HeadCommitment } from './head-height';
import type { UpstreamNode } from './upstream-node';

/** Maximum entries of each kind. The oldest entry is removed first. */
const ENTRIES_MAX = 5_000;
/** Time for which reads of a transaction go to the node that accepted or reported it, if possible. */
const FOLLOWED_MS = 15_000;

export interface KnownTransaction {
  /** Block or slot; null while the transaction is pending. */
  height: number | null;
  commitment: HeadCommitment;
  /** Node that accepted or reported the transaction. */
  node: UpstreamNode;
  followedUntil: number;
}

/**
 * Stores the height for each block hash and the node for each transaction id, as nodes reported them. Ids have the same
 * form as `BlockReference.id`. Times are values of `performance.now()`.
 */
export class BlockIndex {
  readonly #heights = new Map<string, number>();
  readonly #transactions = new Map<string, KnownTransaction>();

  heightOf(hash: string): number | null {
    return this.#heights.get(hash) ?? null;
  }

  transaction(id: string): KnownTransaction | null {
    return this.#transactions.get(id) ?? null;
  }

  noteBlock(hash: string, height: number): void {
    put(this.#heights, hash, height);
  }

  /** If `height` is null, keeps the known height. */
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
