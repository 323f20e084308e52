import { UsageError } from './usage-error';

/** @throws {UsageError} for any argument */
export function noArguments([first]: readonly string[]): void {
  if (first !== undefined)
    throw new UsageError(`${JSON.stringify(first)} is not expected: there are too many arguments.`);
}

/** Returns a command's named arguments. @throws {UsageError} for too few or too many */
export function argumentsNamed<Name extends string>(
  positionals: readonly string[],
  ...names: readonly Name[]
): Record<Name, string> {
  noArguments(positionals.slice(names.length));
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  return Object.fromEntries(names.map((name, index) => [name, positionals[index]])) as Record<Name, string>;
}
