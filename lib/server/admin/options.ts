import { resolve } from 'node:path';
import { noArguments, type OptionKinds, readOptions, wordsOf } from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';
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

/** Returns the words that are neither options nor their values. Never throws. */
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
 * @param typedIn folder from which relative paths are resolved
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
