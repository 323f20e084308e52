const MILLION = 1_000_000n;

/**
 * Returns the cost of characters in nano-USD, rounded up.
 *
 * @param nanoUsdPerMillion price per million characters, so that prices below 1 nano-USD per character are exact
 * @throws {RangeError} beyond 2^53 - 1
 */
export function speechCostNanoUsd(characters: number, nanoUsdPerMillion: number): number {
  const cost = Number((BigInt(characters) * BigInt(nanoUsdPerMillion) + MILLION - 1n) / MILLION);
  if (!Number.isSafeInteger(cost)) throw new RangeError('The cost is too large to be exact.');
  return cost;
}
