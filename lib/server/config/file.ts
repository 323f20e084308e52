import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { WHOLE_FILE } from './field-path';
import { noteRepeatedKeys } from './repeated-keys';
import { substitute, type Substituted } from './substitution';

/** Content of a configuration file, with the variables substituted into it. */
export interface ReadFile {
  settings: Record<string, unknown>;
  substituted: Substituted;
}

/**
 * Reads a configuration file, and replaces `${NAME}` in strings from the environment.
 *
 * @param faults collects all faults that do not throw
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

/** Reports only the position of invalid JSON. The parser's message quotes the file, which may contain secrets. */
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

/** Returns the length of the longest prefix that could continue as valid JSON. */
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
