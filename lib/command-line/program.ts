import { EXIT_USAGE, UsageError } from './usage-error';

/**
 * Runs a program. Prints the message of a `UsageError`.
 * @returns exit code
 * @throws any error other than a `UsageError`
 */
export async function exitCodeOf(program: (args: readonly string[]) => Promise<number>): Promise<number> {
  try {
    return await program(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
}

/** Exit code that a shell reports for SIGPIPE: 128 plus the signal's number. */
export const CLOSED_PIPE = 141;

/**
 * Calls `end` when the reader of the output is gone (`| head`), because Node ignores SIGPIPE. Throws other output
 * errors.
 */
export function endAtClosedPipe(outputs: readonly NodeJS.WritableStream[], end: (code: number) => void): void {
  for (const output of outputs) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      end(CLOSED_PIPE);
    });
  }
}
