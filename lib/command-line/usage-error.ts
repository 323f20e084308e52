/** Mistake in a command line, described in a sentence. The program did nothing and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit code of a program whose command line has a mistake. */
export const EXIT_USAGE = 2;
