const DIGITS = 6;

/** Rounds a base-unit amount up to six significant digits, because a displayed maximum must not be too low. */
export function roundedUp(units: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, units.toString().length - DIGITS));
  return ((units + step - 1n) / step) * step;
}
