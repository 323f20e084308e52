import { meant } from '@/lib/protocol/nearest-name';
import { readFileSync } from 'node:fs';
import type { Environment } from './environment';
import { ConfigError, type Faults } from './faults';
import { fieldPath, WHOLE_FILE } from './field-path';

/** Content of a configuration file after substitution of variables. */
export interface ReadFile {
  settings: Record<string, unknown>;
  substituted: Substituted;
}

/**
 * Reads a configuration file, and replaces `${NAME}` in its strings with environment variables.
 * @param faults object that receives every fault for which this function does not throw
 * @throws ConfigError if the file cannot be read or is not a JSON object
 */
export function readConfigFile(path: string, env: Environment, faults: Faults): ReadFile {
  let text: string;
  try {
    text = readFileSync(/* turbopackIgnore: true */ path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown fault'})`]);
  }
  const sound = text.replace(/^\ufeff/, '');
  if (sound.trim() === '') throw new ConfigError([`${WHOLE_FILE}: ${path} is empty; write {} to use every default`]);
  const parsed = parse(sound, path);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError([`${path}: expected a JSON object`]);
  }
  noteRepeatedKeys(sound, faults);
  return substitute(parsed, env, faults) as ReadFile;
}

/**
 * Reports only the place where the JSON is invalid. The parser's own message quotes the file, which may contain
 * secrets.
 */
function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const before = text.slice(0, soundLength(text)).split('\n');
    throw new ConfigError([
      `${path}: is not valid JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`,
    ]);
  }
}

/** Returns the length of the longest prefix that can be extended to valid JSON. */
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

/** Names of the variables in each string of the file, by the string's path. */
export type Substituted = ReadonlyMap<string, readonly string[]>;

/** Matches `$$`, `${NAME}`, an unclosed `${`, `${…}` with an invalid name, and `$NAME`. */
const PARTS = /\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{([^}]*)(\}?)|\$([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Replaces `${NAME}` in strings with the variable's value, and `$$` with a dollar sign. Reports malformed placeholders.
 */
function substitute(
  settings: unknown,
  env: Environment,
  faults: Faults,
): { settings: unknown; substituted: Substituted } {
  const substituted = new Map<string, string[]>();
  const visit = (value: unknown, steps: readonly PropertyKey[]): unknown => {
    if (typeof value === 'string') return replaced(value, fieldPath(steps));
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...steps, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, [...steps, key])]));
  };
  const replaced = (text: string, path: string): string =>
    text.replace(
      PARTS,
      (
        whole,
        name: string | undefined,
        unsound: string | undefined,
        end: string | undefined,
        bare: string | undefined,
      ) => {
        if (whole === '$$') return '$';
        if (name !== undefined) {
          substituted.set(path, [...(substituted.get(path) ?? []), name]);
          const replacement = env[name];
          if (!replacement) faults.set(path, absence(name, env));
          return replacement || whole;
        }
        if (bare !== undefined)
          faults.set(
            path,
            `$${bare} is not replaced by a variable: write \${${bare}} for that, or $$${bare} for a dollar sign`,
          );
        else if (end === '')
          faults.set(
            path,
            `a \${ is not closed: write \${${/^\w*/.exec(unsound ?? '')?.[0] || 'NAME'}}, or $\${ for the characters themselves`,
          );
        else
          faults.set(
            path,
            'a ${…} has no valid variable name in it: write ${NAME} with letters, digits and underscores, or $${ for the characters themselves',
          );
        return whole;
      },
    );
  return { settings: visit(settings, []), substituted };
}

function absence(name: string, env: Environment): string {
  if (env[name] === '') return `the environment variable ${name} is empty; set it to the value that belongs here`;
  return `the environment variable ${name} is not set${meant(name, Object.keys(env))}`;
}

/**
 * Reports a key that occurs twice in an object, because JSON.parse would silently use the last occurrence.
 * @param text valid JSON
 */
function noteRepeatedKeys(text: string, faults: Faults): void {
  new Scan(text, faults).value([]);
}

class Scan {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly faults: Faults,
  ) {}

  value(steps: readonly PropertyKey[]): void {
    const first = this.#peek();
    if (first === '{') this.#object(steps);
    else if (first === '[') this.#array(steps);
    else if (first === '"') this.#string();
    else while (this.#at < this.text.length && !/[,\]}\s]/.test(this.text[this.#at] as string)) this.#at++;
  }

  #object(steps: readonly PropertyKey[]): void {
    const lines = new Map<string, number>();
    this.#at++;
    while (this.#peek() !== '}') {
      const line = this.#line();
      const key = JSON.parse(this.#string()) as string;
      const path = [...steps, key];
      const before = lines.get(key);
      if (before !== undefined)
        this.faults.set(fieldPath(path), `appears twice, in line ${before} and in line ${line}: remove one`);
      lines.set(key, line);
      this.#peek();
      this.#at++;
      this.value(path);
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
  }

  #array(steps: readonly PropertyKey[]): void {
    this.#at++;
    for (let index = 0; this.#peek() !== ']'; index++) {
      this.value([...steps, index]);
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
  }

  #string(): string {
    const start = this.#at;
    for (this.#at++; this.text[this.#at] !== '"'; this.#at++) if (this.text[this.#at] === '\\') this.#at++;
    return this.text.slice(start, ++this.#at);
  }

  #peek(): string {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at++;
    return this.text[this.#at] ?? '';
  }

  #line(): number {
    let line = 1;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < this.#at; at = this.text.indexOf('\n', at + 1)) line++;
    return line;
  }
}
