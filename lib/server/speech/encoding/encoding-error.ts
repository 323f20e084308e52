/** Error if all encoders are busy and the queue is full. */
export class EncodersBusyError extends Error {
  override readonly name = 'EncodersBusyError';

  constructor(readonly retryAfterSeconds: number) {
    super('All audio encoders are busy.');
  }
}

/** Error if an encoder refused its input, died or hung. The output is incomplete. */
export class EncodingFailedError extends Error {
  override readonly name = 'EncodingFailedError';
}
