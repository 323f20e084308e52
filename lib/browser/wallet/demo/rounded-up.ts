/** More digits of a fee tell nobody anything. */
const DIGITS = 6;

/** A base-unit amount with six significant digits at most, rounded up: what something costs at most must not be less than that. */
export function roundedUp(units: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, units.toString().length - DIGITS));
  return ((units + step - 1n) / step) * step;
}
