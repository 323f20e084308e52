import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from './environment';
import { textAt } from './field-path';
import { configFile } from './load';

const STANDARD = 'data';

/** Returns the absolute path of the data folder, even if the rest of the configuration is invalid. */
export function dataFolder(env: Environment, cwd: string): string {
  return resolve(cwd, env.TURNPIKE_DATA_DIR || namedInFile(env, cwd) || STANDARD);
}

function namedInFile(env: Environment, cwd: string): string | undefined {
  const file = configFile(env, cwd);
  if (file === null) return undefined;
  try {
    const text = readFileSync(file, 'utf8');
    return namedIn(text)?.replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
  } catch {
    return undefined;
  }
}

/** Searches the text, because the file might not be valid JSON. */
function namedIn(text: string): string | undefined {
  try {
    return textAt(JSON.parse(text) as unknown, 'dataDir');
  } catch {
    const quoted = /"dataDir"\s*:\s*("(?:[^"\\\n]|\\.)*")/.exec(text)?.[1];
    return quoted === undefined ? undefined : (JSON.parse(quoted) as string);
  }
}
