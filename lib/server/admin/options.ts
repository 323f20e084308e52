import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, type Context, type Option, UsageError } from './command';

/** Options of every command. */
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
  const options = Object.assign({}, ...commands.map(parserOptions)) as ReturnType<typeof parserOptions>;
  return parseArgs({ args: withNegativeValues(argv, options), options, allowPositionals: true, strict: false })
    .positionals;
}

/**
 * Parses a command's options and the word after its name.
 * @throws UsageError that names the wrong or missing option
 */
export function readOptions(
  command: Command,
  argv: readonly string[],
): { options: Context['options']; argument: string | undefined } {
  const options = parserOptions(command);
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: withNegativeValues(argv, options), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const words = command.name.split(' ').length;
  const argument = command.argument ? parsed.positionals[words] : undefined;
  const [surplus] = parsed.positionals.slice(argument === undefined ? words : words + 1);
  if (surplus !== undefined) throw new UsageError(`The argument "${surplus}" is not expected.`);
  const values = parsed.values as Context['options'];
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

function parserOptions({ options }: Command): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  return Object.fromEntries(
    Object.entries<Option & { short?: string }>({ ...options, ...GLOBAL_OPTIONS }).map(([name, { type, short }]) => [
      name,
      short ? { type, short } : { type },
    ]),
  );
}

/**
 * Joins a negative number to the option before it. Otherwise the parser would report an unknown option instead of a
 * wrong value.
 */
function withNegativeValues(argv: readonly string[], options: ReturnType<typeof parserOptions>): string[] {
  const args: string[] = [];
  for (const word of argv) {
    const before = args.at(-1);
    if (before?.startsWith('--') && options[before.slice(2)]?.type === 'string' && /^-[.\d]/.test(word))
      args[args.length - 1] = `${before}=${word}`;
    else args.push(word);
  }
  return args;
}
