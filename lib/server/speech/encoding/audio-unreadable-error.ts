/** Audio that an upstream delivered cannot be read, or ended before it was whole. */
export class AudioUnreadableError extends Error {
  override readonly name = 'AudioUnreadableError';
}
