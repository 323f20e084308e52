import { expiryTimeOf } from '@/lib/protocol/api-keys/expiry-time';
import { parseUsd } from '@/lib/protocol/pricing';
import { type Context, UsageError } from './command';

type Options = Context['options'];

/** A string option, or undefined. */
export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** A positive whole number. @throws UsageError */
export function wholeNumber(options: Options, name: string, max: number): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}, not "${value}".`);
  return number;
}

/** An amount of USD as nano-USD. @throws UsageError */
export function usd(options: Options, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value.startsWith('-')) throw new UsageError(`--${name}: The amount must be positive, not "${value}".`);
  try {
    return parseUsd(value);
  } catch (error) {
    throw new UsageError(`--${name}: ${error instanceof Error ? error.message : 'not an amount'}`);
  }
}

/** One of a fixed set of words. @throws UsageError */
export function oneOf<T extends string>(options: Options, name: string, allowed: readonly T[]): T | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const found = allowed.find((word) => word === value);
  if (!found) throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, not "${value}".`);
  return found;
}

/** A point in time in the future, ISO 8601 or a date (its end, UTC), as Unix milliseconds. @throws UsageError */
export function futureTime(options: Options, name: string, now: number): number | null {
  const value = text(options, name);
  if (value === undefined) return null;
  const time = expiryTimeOf(value, { utcOnly: false });
  if (time === null)
    throw new UsageError(
      `--${name} must be a date such as 2027-01-31 or an ISO 8601 time with its offset such as 2027-01-31T12:00:00Z, not "${value}".`,
    );
  if (time <= now) throw new UsageError(`--${name} lies in the past: ${value}.`);
  return time;
}
