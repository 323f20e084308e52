const NANO_DECIMALS = 9;

/**
 * Converts base units of a token to nano-USD, exactly. The token has at most 9 decimals, and one token is one USD.
 * @throws RangeError if the result is more than an account can hold
 */
export function nanoUsdOf(units: bigint, decimals: number): number {
  const nano = units * 10n ** BigInt(NANO_DECIMALS - decimals);
  if (nano > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError('The amount exceeds 9,007,199 USD, the most an account can hold.');
  return Number(nano);
}

/** Returns the fewest base units that are worth at least `nanoUsd`. */
export function unitsOf(nanoUsd: number, decimals: number): bigint {
  const unit = 10n ** BigInt(NANO_DECIMALS - decimals);
  return (BigInt(nanoUsd) + unit - 1n) / unit;
}
