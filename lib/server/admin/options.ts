import { type OptionKinds, readOptions, wordsOf, noArguments } from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';
import { expiryTimeOf } from '@/lib/protocol/api-keys/mint-request';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { resolve } from 'node:path';
import type { Command, Context, Option } from './command';

export const GLOBAL_OPTIONS = {
  data: { type: 'string', value: 'DIR', description: 'Data folder, as in npm start (TURNPIKE_DATA_DIR)' },
  config: {
    type: 'string',
    short: 'c',
    value: 'FILE',
    description: 'Configuration file, as in npm start (TURNPIKE_CONFIG)',
  },
  json: { type: 'boolean', description: 'Print JSON for scripts' },
} as const satisfies Readonly<Record<string, Option & { short?: string }>>;

/** Returns the words of a command line that are neither options nor option values. Never throws. */
export function commandWords(argv: readonly string[], commands: readonly Command[]): string[] {
  return wordsOf(argv, Object.assign({}, ...commands.map(parserOptions)) as OptionKinds);
}

/**
 * Parses a command's options and the word after its name.
 * @throws UsageError that names the wrong or missing option
 */
export function readCommandOptions(
  command: Command,
  argv: readonly string[],
): { options: Context['options']; argument: string | undefined } {
  const { values, positionals } = readOptions(argv, parserOptions(command));
  const words = command.name.split(' ').length;
  const argument = command.argument ? positionals[words] : undefined;
  noArguments(positionals.slice(argument === undefined ? words : words + 1));
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && (values[name] === undefined || values[name] === '')) throw new UsageError(`--${name} is missing.`);
  }
  return { options: values, argument };
}

/**
 * Converts --data and --config to environment variables. The options take precedence over the environment.
 * @param typedIn folder against which relative paths are resolved
 * @throws UsageError for an empty path
 */
export function placesOf({ data, config }: Context['options'], typedIn: string): Record<string, string> {
  if (data === '' || config === '') throw new UsageError(`--${data === '' ? 'data' : 'config'} is missing its path.`);
  return {
    ...(typeof data === 'string' && { TURNPIKE_DATA_DIR: resolve(typedIn, data) }),
    ...(typeof config === 'string' && { TURNPIKE_CONFIG: resolve(typedIn, config) }),
  };
}

function parserOptions({ options }: Command): OptionKinds {
  return Object.fromEntries(
    Object.entries<Option & { short?: string }>({ ...options, ...GLOBAL_OPTIONS }).map(([name, { type, short }]) => [
      name,
      short ? { type, short } : { type },
    ]),
  );
}

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

/**
 * Parses an option whose value must be one of a set of words.
 * @throws UsageError
 */
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
