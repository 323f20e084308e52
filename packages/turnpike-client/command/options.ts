import {
  type OptionKinds,
  optionWords,
  type ReadOptions,
  readOptions as parseOptions,
} from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';

/**
 * Options that would contain a secret. The command refuses them, because other users can see a process's command line,
 * and shells save it.
 */
const SECRETS = /^--?(private-?key|secret(-?key)?|mnemonic|seed(-?phrase)?|api-?key|password|token)(=|$)/i;

/** Parses a command line. @throws {UsageError} for an unknown option or a secret */
export function readOptions<Options extends OptionKinds>(
  args: readonly string[],
  options: Options,
): ReadOptions<Options> {
  const secret = optionWords(args).find((arg) => SECRETS.test(arg));
  if (secret !== undefined)
    throw new UsageError(
      `${secret.split('=', 1)[0]} is not accepted on the command line, where others can read it. Set TURNPIKE_API_KEY or TURNPIKE_PRIVATE_KEY, or name a file with --keystore.`,
    );
  return parseOptions(args, options);
}

/** Parses USD. @throws {UsageError} */
export function usdOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = /^\d+(\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(amount))
    throw new UsageError(`--${name} is ${JSON.stringify(text)}, which is not an amount of USD, such as 0.50.`);
  return amount;
}

/** Parses an integer. @throws {UsageError} */
export function countOption(
  name: string,
  text: string | undefined,
  [least, most]: readonly [least: number, most: number],
): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(count >= least && count <= most))
    throw new UsageError(`--${name} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}.`);
  return count;
}
