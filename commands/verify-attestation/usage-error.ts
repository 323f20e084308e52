/** A command line that makes no sense, in a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
