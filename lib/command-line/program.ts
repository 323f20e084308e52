import { EXIT_USAGE, UsageError } from './usage-error';

/** Runs a program. Prints the message of a `UsageError`. @returns the exit code @throws any other error */
export async function exitCodeOf(program: (args: readonly string[]) => Promise<number>): Promise<number> {
  try {
    return await program(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
}
