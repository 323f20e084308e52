/** Error for unreadable or truncated audio from an upstream. */
export class AudioUnreadableError extends Error {
  override readonly name = 'AudioUnreadableError';
}
