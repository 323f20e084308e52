/**
 * Headers with which Chutes' API relays an encrypted request to an instance (docs.chutes.ai, "E2E Invoke"), lower case.
 */
export const INVOKE_HEADERS = {
  /** Chutes' id of the model, a UUID. */
  chute: 'x-chute-id',
  instance: 'x-instance-id',
  /** Single-use nonce that Chutes issued for the instance. */
  nonce: 'x-e2e-nonce',
  /** `true` if the answer is streamed. */
  stream: 'x-e2e-stream',
  /** Path in the instance's own API. */
  path: 'x-e2e-path',
} as const;

/** Gateway's own header that names the instance to whose key the body is encrypted, lower case. */
export const INSTANCE_HEADER = 'x-service-tee-instance';

/** `true` for a streamed answer. The gateway cannot read this from the encrypted body. */
export const STREAM_HEADER = INVOKE_HEADERS.stream;
