const MILLION = 1_000_000n;

/**
 * What so many characters cost, in nano-USD, rounded up to the next whole one.
 * @param nanoUsdPerMillion for a million characters, so that prices below a nano-USD a character are exact
 * @throws RangeError beyond 2^53 - 1
 */
export function speechCostNanoUsd(characters: number, nanoUsdPerMillion: number): number {
  const cost = Number((BigInt(characters) * BigInt(nanoUsdPerMillion) + MILLION - 1n) / MILLION);
  if (!Number.isSafeInteger(cost)) throw new RangeError('The cost is too large to be exact.');
  return cost;
}
