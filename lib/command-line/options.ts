import { parseArgs } from 'node:util';
import { UsageError } from './usage-error';

/** Options in the format of `util.parseArgs`. */
export interface OptionKinds {
  [name: string]: { type: 'string' | 'boolean'; short?: string; multiple?: boolean; default?: string | boolean };
}

type Value<Option> = Option extends { type: 'boolean' }
  ? boolean
  : Option extends { multiple: true }
    ? string[]
    : string;
type WithDefault<Options> = {
  [Name in keyof Options]: Options[Name] extends { default: string | boolean } ? Name : never;
}[keyof Options];

export interface ReadOptions<Options extends OptionKinds> {
  values: { [Name in Exclude<keyof Options, WithDefault<Options>>]?: Value<Options[Name]> } & {
    [Name in WithDefault<Options>]: Value<Options[Name]>;
  };
  positionals: string[];
}

/**
 * Parses a command line. The product's programs use this function, except `scripts/*.mjs`, which must run on a Node
 * version without TypeScript.
 * @throws {UsageError} for an unknown option, a missing value, or a value for a switch
 */
export function readOptions<Options extends OptionKinds>(
  args: readonly string[],
  options: Options,
): ReadOptions<Options> {
  try {
    return parseArgs({
      args: withNegativeValues(args, options),
      options,
      allowPositionals: true,
    }) as unknown as ReadOptions<Options>;
  } catch (error) {
    // `parseArgs` appends advice to its message.
    const [sentence = ''] = (error as Error).message.split('\n', 1);
    throw new UsageError(sentence.replace(/\. To specify.*$/, '.'));
  }
}

/** Returns the words before `--`. Words after `--` are never options. */
export function optionWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/** Returns the words that are neither options nor their values. Never throws. */
export function wordsOf(args: readonly string[], options: OptionKinds): string[] {
  return parseArgs({ args: withNegativeValues(args, options), options, allowPositionals: true, strict: false })
    .positionals;
}

/** Joins a negative number to the option before it, because `parseArgs` would treat the number as an option. */
function withNegativeValues(args: readonly string[], options: OptionKinds): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const before = joined.at(-1);
    if (before?.startsWith('--') && options[before.slice(2)]?.type === 'string' && /^-[.\d]/.test(word))
      joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** @throws {UsageError} if there is any argument */
export function noArguments([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`There are too many arguments. Remove ${JSON.stringify(first)}.`);
}

/** Returns a command's arguments by name. @throws {UsageError} for too few or too many arguments */
export function argumentsNamed<Name extends string>(
  positionals: readonly string[],
  ...names: readonly Name[]
): Record<Name, string> {
  noArguments(positionals.slice(names.length));
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  return Object.fromEntries(names.map((name, index) => [name, positionals[index]])) as Record<Name, string>;
}
