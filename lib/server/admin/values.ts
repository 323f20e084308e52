import { UsageError } from '@/lib/command-line/usage-error';
import { expiryTimeOf } from '@/lib/protocol/api-keys/mint-request';
import { parseUsd } from '@/lib/protocol/parse-usd';
import type { Context } from './command';

type Options = Context['options'];

export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Parses a positive whole number. @throws UsageError */
export function wholeNumber(options: Options, name: string, max: number): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}, not "${value}".`);
  return number;
}

/** Parses an amount of USD into nano-USD. @throws UsageError */
export function usd(options: Options, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value.startsWith('-')) throw new UsageError(`--${name} must be a positive amount, not "${value}".`);
  try {
    return parseUsd(value);
  } catch (error) {
    throw new UsageError(`--${name}: ${error instanceof Error ? error.message : 'not an amount'}`);
  }
}

/** Parses one of a set of words. @throws UsageError */
export function oneOf<T extends string>(options: Options, name: string, allowed: readonly T[]): T | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const found = allowed.find((word) => word === value);
  if (!found) throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not "${value}".`);
  return found;
}

/**
 * Parses a future time in ISO 8601 into Unix milliseconds. A date without a time means the end of that day in UTC.
 * @throws UsageError
 */
export function futureTime(options: Options, name: string, now: number): number | null {
  const value = text(options, name);
  if (value === undefined) return null;
  const time = expiryTimeOf(value, { utcOnly: false });
  if (time === null)
    throw new UsageError(
      `--${name} must be a date such as 2027-01-31 or an ISO 8601 time with its offset such as 2027-01-31T12:00:00Z, not "${value}".`,
    );
  if (time <= now) throw new UsageError(`--${name} is in the past: ${value}.`);
  return time;
}
