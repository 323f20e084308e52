/** Invalid command line, described in a sentence. The command did nothing. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
