/**
 * Thrown for an error answer: an HTTP status other than 2xx (spec, "Error bodies"), or an invalid body.
 * `message` is the gateway's sentence.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly status: number,
    message: string,
    readonly detail: GatewayErrorDetail,
  ) {
    super(message);
  }
}

export interface GatewayErrorDetail {
  /** True if the gateway wrote the answer. A proxy's answer does not show whether the request was charged. */
  isFromService: boolean;
  /** Stable error code in upper snake case. */
  code: string | null;
  hint: string | null;
  /** Sentence about the limit that caused a 429. */
  customMessage: string | null;
  fieldErrors: readonly FieldError[];
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** Earliest time to retry, Unix milliseconds. */
  retryAtMs: number | null;
  latencyMs: number;
  bodyText: string;
}

/** Validation error of one field. `path` looks like `0.method` and is empty for the whole request. */
export interface FieldError {
  path: string;
  message: string;
}

/** X-RateLimit-* headers of a 429. `resetAtMs` is in Unix milliseconds. */
export interface RateLimit {
  limit: number | null;
  remaining: number | null;
  resetAtMs: number | null;
}

/**
 * Thrown if the gateway gave no complete answer: refused connection, lost network, stopped gateway, or cancelled
 * request.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** True if the answer had begun. The gateway may then have charged the request. */
  readonly hasBegun: boolean;

  constructor(
    readonly baseUrl: string,
    readonly aborted: boolean,
    { hasBegun = false, ...options }: ErrorOptions & { hasBegun?: boolean } = {},
  ) {
    super(sentenceOn(baseUrl, aborted, hasBegun), options);
    this.hasBegun = hasBegun;
  }
}

/** Thrown for an answer beyond its endpoint's size limit. The excess was not read. */
export class OversizedAnswerError extends Error {
  override readonly name = 'OversizedAnswerError';

  constructor(readonly bytesMax: number) {
    super(`The answer is over this endpoint's limit of ${Math.floor(bytesMax / 1_024)} KiB. The rest was not read.`);
  }
}

/** Thrown for an answer beyond its endpoint's time limit. Only its beginning was read. */
export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError';

  constructor(readonly timeoutMs: number) {
    super(`The answer did not end within ${Math.round(timeoutMs / 1_000)} s.`);
  }
}

/** Thrown for a mint token that a wallet must not sign. `message` is the reason. */
export class UnsignableTokenError extends Error {
  override readonly name = 'UnsignableTokenError';
}

function sentenceOn(baseUrl: string, aborted: boolean, hasBegun: boolean): string {
  if (aborted) return 'The call was cancelled before an answer arrived.';
  return hasBegun
    ? `The connection to the gateway at ${baseUrl} broke off before the end of the answer.`
    : `The gateway at ${baseUrl} does not answer.`;
}
