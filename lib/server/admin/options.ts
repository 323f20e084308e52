import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, type Context, type Option, UsageError } from './command';

/** What every command takes, before or after its name. */
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

/** The words of a command line that are neither options nor their values. Never throws. */
export function commandWords(argv: readonly string[], commands: readonly Command[]): string[] {
  const options = Object.assign({}, ...commands.map(parserOptions)) as ReturnType<typeof parserOptions>;
  return parseArgs({ args: withNegativeValues(argv, options), options, allowPositionals: true, strict: false })
    .positionals;
}

/**
 * The values of a command's options, and of the global ones, by name, the required ones among them; and the word after its name, if it takes one.
 * @throws UsageError naming the option or word that is wrong.
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
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  const values = parsed.values as Context['options'];
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && (values[name] === undefined || values[name] === '')) throw new UsageError(`--${name} is missing.`);
  }
  return { options: values, argument };
}

/**
 * The variables that --data and --config stand for; they win over the environment, as in `npm start`.
 * @param typedIn the folder that relative paths start from.
 * @throws UsageError for an empty path.
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

/** Binds a negative number to the option before it: the parser would take it for an option, not for a wrong value. */
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
