import { type NanoUsd, parseUsd } from './pricing';

const EXPONENT = /^(?<digits>\d+)(?:\.(?<fraction>\d+))?e(?<sign>[+-])(?<exponent>\d+)$/;

/**
 * The amount that a JSON number of dollars states, exactly: the decimal number that a person wrote, not the binary
 * fraction nearest to it. (JSON numbers keep 15 digits: nano-USD are exact under a million USD.)
 *
 * @throws {RangeError} saying what is expected, for what is negative, has more than 9 decimals, or is over the
 *   bound of {@link NanoUsd}
 */
export function nanoUsdOfNumber(usd: number): NanoUsd {
  if (!(usd >= 0)) throw new RangeError('An amount in USD must be 0 or more.');
  return parseUsd(plainDecimal(usd));
}

/** A number as JavaScript prints it, without an exponent: 1e-7 as 0.0000001. */
function plainDecimal(value: number): string {
  const text = String(value);
  const parts = EXPONENT.exec(text)?.groups;
  if (parts === undefined || parts['sign'] === '+') return text;
  const digits = (parts['digits'] ?? '') + (parts['fraction'] ?? '');
  return `0.${'0'.repeat(Number(parts['exponent']) - 1)}${digits}`;
}
