/** Mistake in a command line, described in a sentence. The program exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const EXIT_USAGE = 2;
