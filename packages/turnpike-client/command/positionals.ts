import { UsageError } from './usage-error';

/** @throws {UsageError} where a command that takes no arguments is given some */
export function noArguments([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`${JSON.stringify(first)} is one argument too many.`);
}

/** The arguments of a command that takes exactly these. @throws {UsageError} */
export function argumentsNamed<Name extends string>(
  positionals: readonly string[],
  ...names: readonly Name[]
): Record<Name, string> {
  noArguments(positionals.slice(names.length));
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  return Object.fromEntries(names.map((name, index) => [name, positionals[index]])) as Record<Name, string>;
}
