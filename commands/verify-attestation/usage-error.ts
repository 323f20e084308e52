/** Invalid command line; the message is a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
