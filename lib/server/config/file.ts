import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error';

/** Where faults are put, by the path of their field; the first of a path counts. */
export type Faults = Map<string, string>;

/** The settings of a configuration file, `${NAME}` in any string replaced from the environment. */
export function readConfigFile(path: string, env: Readonly<Record<string, string | undefined>>, faults: Faults): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(/* turbopackIgnore: true */ path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown fault'})`]);
  }
  const parsed = parse(text, path);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError([`${path}: expected a JSON object`]);
  }
  return substitute(parsed, '', env, faults) as Record<string, unknown>;
}

/** The parser's own message quotes the file, which may hold secrets: only the place is passed on. */
function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const before = text.slice(0, soundLength(text)).split('\n');
    throw new ConfigError([`${path}: is not valid JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`]);
  }
}

/** How much of a text that is no JSON could still become some. */
function soundLength(text: string): number {
  let sound = 0;
  let unsound = text.length + 1;
  while (unsound - sound > 1) {
    const middle = (sound + unsound) >> 1;
    if (mayContinue(text.slice(0, middle))) sound = middle;
    else unsound = middle;
  }
  return sound;
}

function mayContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON input|^Unterminated/.test(message) || Number(position) === text.length;
  }
}

function substitute(value: unknown, path: string, env: Readonly<Record<string, string | undefined>>, faults: Faults): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => {
      const replacement = env[name];
      if (replacement === undefined && !faults.has(path)) faults.set(path, `the environment variable ${name} is not set`);
      return replacement ?? whole;
    });
  }
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, `${path}[${index}]`, env, faults));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, path ? `${path}.${key}` : key, env, faults)]));
}
