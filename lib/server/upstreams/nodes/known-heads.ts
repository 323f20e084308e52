import type { HeadCommitment } from './head-height';
import type { UpstreamNode } from './upstream-node';

/** Maximum blocks between the heads of two honest upstreams. */
export const REGION_BLOCKS = 1_000;

/** Returns whether an upstream's height is near another upstream's height. Also true if no other height is known. */
export function isPlausible(
  height: number,
  node: UpstreamNode | undefined,
  nodes: readonly UpstreamNode[],
  commitment: HeadCommitment,
  now: number,
): boolean {
  let isContradicted = false;
  for (const other of nodes) {
    if (other === node || other.heads === null || !other.health.servesChain || other.health.isDoubtful) continue;
    const known = other.heads.freshHeightOf(commitment, now);
    if (known === null) continue;
    if (Math.abs(known - height) <= REGION_BLOCKS) return true;
    isContradicted = true;
  }
  return !isContradicted;
}

/**
 * Returns the newest credible head of the upstreams that can be asked; 0 if unknown. Lagging and failing upstreams
 * count only if there are no other upstreams.
 */
export function newestHead(
  nodes: readonly UpstreamNode[],
  commitment: HeadCommitment,
  method: string,
  now: number,
): number {
  let sound = 0;
  let doubtful = 0;
  let hasSound = false;
  for (const node of nodes) {
    if (!node.admits(method, now)) continue;
    const { isDoubtful } = node.health;
    if (!isDoubtful) hasSound = true;
    const height = node.heads?.heightOf(commitment) ?? 0;
    if (height <= (isDoubtful ? doubtful : sound) || !isPlausible(height, node, nodes, commitment, now)) continue;
    if (isDoubtful) doubtful = height;
    else sound = height;
  }
  return hasSound ? sound : doubtful;
}

/** Upper bound of a chain's growth: no chain makes this many blocks per second. */
const BLOCKS_PER_SECOND_MAX = 100;
const KNOWN_MS = 300_000;

/**
 * Finds the credible head of a chain, so that a single lying upstream does not make all others seem behind
 * (docs/decisions/upstreams.md, 245). Times are values of `performance.now()`.
 */
export class CredibleHead {
  #height = 0;
  #at = -Infinity;

  /**
   * Returns the highest credible height; -Infinity for none.
   * - The lowest height is credible, and so is any height near another upstream's height.
   * - If a credible height was found recently, any other height is credible if the chain could have grown that far
   *   since.
   * - Otherwise, any other height H is credible unless two upstreams agree on a height below H / 2.
   * @param heights heights of the upstreams that answered; only finite numbers count
   */
  among(heights: readonly number[], now: number): number {
    const known = heights.filter(Number.isFinite).sort((a, b) => b - a);
    const best =
      known.find(
        (height, index) => index === known.length - 1 || !this.#isMadeUp(height, known.toSpliced(index, 1), now),
      ) ?? -Infinity;
    if (best !== -Infinity) {
      this.#height = best;
      this.#at = now;
    }
    return best;
  }

  #isMadeUp(height: number, others: readonly number[], now: number): boolean {
    if (others.some((other) => isNear(other, height))) return false;
    const sinceMs = now - this.#at;
    if (sinceMs <= KNOWN_MS) return height > this.#height + REGION_BLOCKS + (sinceMs / 1_000) * BLOCKS_PER_SECOND_MAX;
    return others.some(
      (other, index) => other < height / 2 && others.some((second, place) => place !== index && isNear(second, other)),
    );
  }
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= REGION_BLOCKS;
}
