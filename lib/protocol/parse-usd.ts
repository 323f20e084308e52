import { DECIMAL_USD, formatUsd, NANO_DECIMALS, type NanoUsd, readUsd } from './pricing';

/**
 * Parses an amount in the format of {@link readUsd}.
 *
 * @throws {RangeError} for an invalid or too large amount; the message states the expected form
 */
export function parseUsd(text: string): NanoUsd {
  const nano = readUsd(text);
  if (nano !== null) return nano;
  throw new RangeError(
    DECIMAL_USD.test(text)
      ? `An amount in USD must be at most ${formatUsd(Number.MAX_SAFE_INTEGER, NANO_DECIMALS)}.`
      : 'Write an amount in USD in digits with at most 9 decimals, such as 12 or 0.50.',
  );
}

const EXPONENT = /^(?<digits>\d+)(?:\.(?<fraction>\d+))?e(?<sign>[+-])(?<exponent>\d+)$/;

/**
 * Converts a dollar amount, given as a JSON number. Uses its decimal text, to avoid binary rounding. Amounts under a
 * million USD are exact.
 *
 * @throws {RangeError} for a negative number, more than 9 decimals, or more than {@link NanoUsd} allows
 */
export function nanoUsdOfNumber(usd: number): NanoUsd {
  if (!(usd >= 0)) throw new RangeError('An amount in USD must be 0 or more.');
  return parseUsd(plainDecimal(usd));
}

/** Formats a small number without an exponent: 1e-7 as 0.0000001. */
function plainDecimal(value: number): string {
  const text = String(value);
  const parts = EXPONENT.exec(text)?.groups;
  if (parts === undefined || parts['sign'] === '+') return text;
  const digits = (parts['digits'] ?? '') + (parts['fraction'] ?? '');
  return `0.${'0'.repeat(Number(parts['exponent']) - 1)}${digits}`;
}
