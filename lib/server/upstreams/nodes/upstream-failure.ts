export type FailureReason =
  /** No connection, or it broke before the answer was complete. */
  | 'connection'
  | 'timeout'
  /** Another status than 200. */
  | 'status'
  /** 429, or 503 with Retry-After: it asked to be left alone. */
  | 'rate-limited'
  | 'too-large'
  | 'not-json'
  /** An answer to another question, or none to some of a batch. */
  | 'mismatch'
  /** A JSON-RPC error by which the node says that it cannot serve; another may. */
  | 'node-fault'
  /** Nothing was asked: every upstream rests. */
  | 'unavailable'
  /** Nobody waits any more. */
  | 'aborted';

/** What is known of a failure beside its reason. */
export interface FailureFacts {
  status?: number;
  /** How long the upstream asked to be left alone, where it said so. */
  retryAfterMs?: number;
  /** No byte of the request left, so that even a transaction can be given to another upstream. */
  unsent?: boolean;
}

/** Why an upstream gave no usable answer. Its text names no URL, since URLs hold keys. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly brand = 'turnpike.UpstreamFailure';

  constructor(
    readonly reason: FailureReason,
    message: string,
    readonly facts: FailureFacts = {},
  ) {
    super(message);
  }
}

/** Whether a thrown value is an `UpstreamFailure`, of this bundle or another of the same process. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'turnpike.UpstreamFailure';
}
