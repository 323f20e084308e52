import util from 'node:util';

import { isStopping } from './process-groups.mjs';

/**
 * A mistake of the person who typed the command: shown as its one sentence,
 * without a stack, and the command ends with code 1.
 */
export class UsageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'UsageError';
  }
}

const helpOption = /** @type {const} */ ({ help: { type: 'boolean', short: 'h' } });

/**
 * Reads the options of a command. `--help` or `-h` prints `help` and exits with 0.
 *
 * @template {Record<string, {type: 'string' | 'boolean', short?: string, multiple?: boolean}>} Options
 * @param {string} help the whole help text
 * @param {Options} options as `util.parseArgs` takes them
 * @param {string[]} [args]
 * @returns the values by option name
 * @throws {UsageError} for an option that does not exist or lacks its value
 */
export function readOptions(help, options, args = process.argv.slice(2)) {
  let values;
  try {
    ({ values } = util.parseArgs({ args, options: { ...options, ...helpOption }, allowPositionals: false }));
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split('. ');
    throw new UsageError(`${sentence}. --help lists the options.`);
  }
  if ('help' in values) {
    console.log(help.trim());
    process.exit(0);
  }
  return values;
}

/**
 * Runs a command to its end and turns what it throws into an exit code: a
 * `UsageError` into its sentence, anything else into its stack.
 *
 * @param {() => Promise<number>} command resolves to the exit code
 */
export async function runCommand(command) {
  try {
    const code = await command();
    process.exitCode = code;
    // After a stop signal its handler ends the process, when everything has stopped.
    if (!isStopping()) process.exit(code);
  } catch (error) {
    if (isStopping()) return;
    const expected = error instanceof UsageError;
    console.error(expected ? error.message : error);
    process.exit(1);
  }
}
