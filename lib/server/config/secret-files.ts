import { readFileSync } from 'node:fs';
import type { Environment } from './environment';
import type { Faults } from './faults';

const SUFFIX = '_FILE';
/** Variables that the gateway finds by prefix instead of exact name. */
const OURS = /^RPC_/;
/** Maximum size of a secret file. A larger file is probably a mistake. */
const BYTES_MAX = 65_536;

/**
 * Returns an environment that reads the value of `NAME` from the file whose path is in `NAME_FILE` (a convention for
 * container secrets). Reads a file only when its variable is read, because other programs also use names that end in
 * `_FILE`. Drops trailing line ends.
 */
export function withSecretFiles(env: Environment, faults: Faults): Environment {
  const complete: Record<string, string | undefined> = { ...env };
  for (const [variable, path] of Object.entries(env)) {
    const name = variable.slice(0, -SUFFIX.length);
    if (!variable.endsWith(SUFFIX) || name === '' || !path) continue;
    let read: { value: string | undefined } | null = null;
    Object.defineProperty(complete, name, {
      enumerable: OURS.test(name),
      get: () => (read ??= { value: valueOf(variable, path, env[name], faults) }).value,
    });
  }
  return complete;
}

/**
 * Returns the name of the variable that an operator must correct: `name`, or `NAME_FILE` if the value came from a file.
 */
export function variableThatGave(name: string, env: Environment): string {
  return env[name + SUFFIX] ? name + SUFFIX : name;
}

function valueOf(variable: string, path: string, given: string | undefined, faults: Faults): string | undefined {
  if (given) {
    faults.set(variable, `${variable.slice(0, -SUFFIX.length)} is also set: set only one of the two variables`);
    return given;
  }
  try {
    const value = readFileSync(/* turbopackIgnore: true */ path, 'utf8').replace(/[\r\n]+$/, '');
    if (value !== '' && value.length <= BYTES_MAX) return value;
    faults.set(variable, value === '' ? 'the file is empty' : `the file has more than ${BYTES_MAX} characters`);
  } catch (error) {
    faults.set(variable, `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown fault'})`);
  }
  return undefined;
}
