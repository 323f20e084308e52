/** A command line that makes no sense, in a sentence. Nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
