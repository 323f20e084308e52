/** Headers by which Chutes' API relays an encrypted request to one instance (docs.chutes.ai, "E2E Invoke"), in lower case. */
export const INVOKE_HEADERS = {
  /** Of the model: its id there, a UUID. */
  chute: 'x-chute-id',
  instance: 'x-instance-id',
  /** Given for that instance, and taken once. */
  nonce: 'x-e2e-nonce',
  /** `true` for an answer that is streamed. */
  stream: 'x-e2e-stream',
  /** What the instance is asked for: the path of its own API. */
  path: 'x-e2e-path',
} as const;

/** Names, on the gateway's own API, the instance to whose key a body is encrypted. In lower case. */
export const INSTANCE_HEADER = 'x-service-tee-instance';

/** Says whether the answer is to be streamed, which the gateway cannot see in the body: `true` or `false`. */
export const STREAM_HEADER = INVOKE_HEADERS.stream;
