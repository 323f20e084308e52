import { DECIMAL_USD, formatUsd, NANO_DECIMALS, type NanoUsd, readUsd } from './pricing';

/**
 * Parses an amount as {@link readUsd} does.
 *
 * @throws {RangeError} for an invalid or too large amount, with the expected form
 */
export function parseUsd(text: string): NanoUsd {
  const nano = readUsd(text);
  if (nano !== null) return nano;
  throw new RangeError(
    DECIMAL_USD.test(text)
      ? `An amount in USD is at most ${formatUsd(Number.MAX_SAFE_INTEGER, NANO_DECIMALS)}.`
      : 'An amount in USD is written in digits with at most 9 decimals, as 12 or 0.50.',
  );
}
