import { readFileSync } from 'node:fs';
import type { Environment } from './environment';
import type { Faults } from './faults';

const SUFFIX = '_FILE';
/** What is looked for among all variables, and not asked for by its name alone. */
const OURS = /^RPC_/;
/** A secret, not somebody's log that was named by mistake. */
const BYTES_MAX = 65_536;

/**
 * The environment in which each variable may stand in a file: `NAME_FILE` names it, as secrets of containers and
 * systemd's credentials come. A file is read when its variable is asked for, so that variables of other programs which
 * end in `_FILE` mean nothing here. Line ends after the value are left out.
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

/** What somebody has to change where `name` gave a value: that variable, or the one that names its file. */
export function variableThatGave(name: string, env: Environment): string {
  return env[name + SUFFIX] ? name + SUFFIX : name;
}

function valueOf(variable: string, path: string, given: string | undefined, faults: Faults): string | undefined {
  if (given) {
    faults.set(variable, `the value stands in ${variable.slice(0, -SUFFIX.length)} already: set one of the two`);
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
