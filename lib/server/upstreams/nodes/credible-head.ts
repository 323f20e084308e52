import { REGION_BLOCKS } from './known-heads';

/** More blocks per second than any chain makes. */
const BLOCKS_PER_SECOND_MAX = 100;
/** Maximum age of a head with which new heights are compared. */
const KNOWN_MS = 300_000;

/**
 * Finds the credible head of a chain, so that one lying upstream does not make all others seem behind
 * (docs/decisions/upstreams.md, 245). Times are values of `performance.now()`.
 */
export class CredibleHead {
  #height = 0;
  #at = -Infinity;

  /**
   * Returns the highest credible height; -Infinity if none. The lowest height is credible, and so is any height near
   * another upstream's. A lone height is rejected if no chain could have grown that much since a recent check. Without
   * a recent check, a lone height is rejected above twice a height on which two upstreams agree.
   * @param heights of upstreams that answered; only finite numbers count
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
