import util from 'node:util';

import { isStopping } from './process-groups.mjs';

/** Mistake in the command line. The command prints only the message and exits with code 1. */
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
 * @param {string} help text that `--help` prints
 * @param {Options} options in the form of `util.parseArgs`
 * @param {string[]} [args]
 * @returns the values by option name
 * @throws {UsageError} for an unknown option or a missing value
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
 * Runs a command and sets the exit code. Prints the message of a `UsageError`, and the stack of any other error.
 *
 * @param {() => Promise<number>} command resolves to the exit code
 */
export async function runCommand(command) {
  try {
    const code = await command();
    process.exitCode = code;
    // After a stop signal, the signal handler exits once all children have stopped.
    if (!isStopping()) process.exit(code);
  } catch (error) {
    if (isStopping()) return;
    const expected = error instanceof UsageError;
    console.error(expected ? error.message : error);
    process.exit(1);
  }
}
