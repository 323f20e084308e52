/** Every encoder is at work and the queue is full. Worth another attempt after `retryAfterSeconds`. */
export class EncodersBusyError extends Error {
  override readonly name = 'EncodersBusyError';

  constructor(readonly retryAfterSeconds: number) {
    super('All audio encoders are busy.');
  }
}

/** An encoder refused, died or was silent for too long: what it made so far is no whole file. */
export class EncodingFailedError extends Error {
  override readonly name = 'EncodingFailedError';
}
