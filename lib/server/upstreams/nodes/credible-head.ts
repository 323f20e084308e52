import { REGION_BLOCKS } from './known-heads';

/** More blocks a second than any chain makes, by some margin. */
const BLOCKS_PER_SECOND_MAX = 100;
/** What was known longer ago says nothing any more: a network that nobody uses is not checked. */
const KNOWN_MS = 300_000;

/**
 * The head of a chain by what its upstreams say, check by check, so that one that makes numbers up does not have all
 * others look behind (docs/decisions.md, 245). Times are of `performance.now()`.
 */
export class CredibleHead {
  #height = 0;
  #at = -Infinity;

  /**
   * The highest head that can be true, and that all are judged against. A height that nobody else is near cannot be where
   * others say less and the chain would have had to leap to it: since the last check, or, where there was none, to more
   * than twice of what at least two others agree on. Who is alone with an answer is believed.
   * @param heights of the upstreams that answered; anything but finite numbers is left out.
   * @returns -Infinity where there are none.
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
