/**
 * A refusal by the gateway: any answer whose HTTP status is not 2xx (spec, "Error bodies"), or
 * whose body is not JSON. `message` is the
 * gateway's own sentence, `hint` says what to do about it.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    /** HTTP status. */
    readonly status: number,
    message: string,
    readonly detail: GatewayErrorDetail,
  ) {
    super(message);
  }
}

/** Everything an error body and its headers may carry beside the sentence. */
export interface GatewayErrorDetail {
  /** Whether the service itself wrote the answer; false for what a proxy in between says, which tells nothing about charges. */
  isFromService: boolean;
  /** Stable upper-snake code, or null where the body has none. */
  code: string | null;
  /** What to do next, in the gateway's own words; null where it does not say. */
  hint: string | null;
  /** For 429: which cap it was. */
  customMessage: string | null;
  /** Sentences of the validation tree, each with the path of its field. */
  fieldErrors: readonly FieldError[];
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** When the same call may be sent again, by Retry-After: Unix time in milliseconds; null where it does not say. */
  retryAtMs: number | null;
  /** Round trip as seen here, milliseconds. */
  latencyMs: number;
  /** The body as received. */
  bodyText: string;
}

/** One sentence of a validation tree; `path` is empty for the request as a whole, else like `0.method`. */
export interface FieldError {
  path: string;
  message: string;
}

/** The X-RateLimit-* headers of a 429. `resetAtMs` is Unix time in milliseconds. */
export interface RateLimit {
  limit: number | null;
  remaining: number | null;
  resetAtMs: number | null;
}

/** The gateway did not answer, or not to the end: refused connection, lost network, a gateway that stopped, or a cancelled call. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** Whether the answer had begun: the call reached the gateway, and what it did may have been charged. */
  readonly hasBegun: boolean;

  constructor(
    readonly baseUrl: string,
    /** Whether the caller itself aborted. */
    readonly aborted: boolean,
    { hasBegun = false, ...options }: ErrorOptions & { hasBegun?: boolean } = {},
  ) {
    super(sentenceOn(baseUrl, aborted, hasBegun), options);
    this.hasBegun = hasBegun;
  }
}

/** An answer that is longer than its kind ever is: it was left there. */
export class OversizedAnswerError extends Error {
  override readonly name = 'OversizedAnswerError';

  constructor(readonly bytesMax: number) {
    super(`The answer is longer than ${Math.floor(bytesMax / 1_024)} KiB, which no such answer is. It was not read.`);
  }
}

/** An answer that did not end in the time that its kind takes: it was left there. */
export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError';

  constructor(readonly timeoutMs: number) {
    super(`The answer did not end within ${Math.round(timeoutMs / 1_000)} s.`);
  }
}

/** A token of key minting that no wallet was asked to sign. The message says what is wrong with it. */
export class UnsignableTokenError extends Error {
  override readonly name = 'UnsignableTokenError';
}

function sentenceOn(baseUrl: string, aborted: boolean, hasBegun: boolean): string {
  if (aborted) return 'The call was cancelled before an answer arrived.';
  return hasBegun
    ? `The connection to the gateway at ${baseUrl} broke off before the end of the answer.`
    : `The gateway at ${baseUrl} does not answer.`;
}
