import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from './environment';
import { textAt } from './field-path';
import { configFile } from './load';

const STANDARD = 'data';

/** Absolute path of the data folder, also of a configuration that is broken in any other way. */
export function dataFolder(env: Environment, cwd: string): string {
  return resolve(cwd, env.TURNPIKE_DATA_DIR || namedInFile(env, cwd) || STANDARD);
}

function namedInFile(env: Environment, cwd: string): string | undefined {
  const file = configFile(env, cwd);
  if (file === null) return undefined;
  try {
    return textAt(JSON.parse(readFileSync(file, 'utf8')) as unknown, 'dataDir')?.replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
  } catch {
    return undefined;
  }
}
