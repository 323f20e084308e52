import type { WhenGone } from '../../http/call';
import type { Asker } from './asker';
import type { ErrorMeaning } from './error-meaning';

export type FailureReason =
  /** The gateway could not connect, or the connection broke before the answer was complete. */
  | 'connection'
  | 'timeout'
  | 'status'
  /** Status 429, or 503 with Retry-After. */
  | 'rate-limited'
  | 'too-large'
  | 'not-json'
  /** The answer belongs to a different request, or a batch's answer is incomplete. */
  | 'mismatch'
  /** A node answered with a JSON-RPC error, because it cannot serve the call. Other nodes may serve it. */
  | 'node-fault'
  /** The upstream serves a different chain. Only the request that checks the chain was sent. */
  | 'wrong-chain'
  | 'unavailable'
  /** The gateway had no memory for the answer. This is not the upstream's fault. */
  | 'overloaded'
  /** The request was not sent, because no connection was free in time. */
  | 'busy'
  | 'aborted';

interface FailureFacts {
  status?: number;
  /** Milliseconds to wait. The upstream states them, or the gateway estimates them from its queue. */
  retryAfterMs?: number;
  /** True if no byte was sent. In that case, even a transaction may go to another upstream. */
  unsent?: boolean;
  /** True if a retry does not use the retry budget, because the failure says nothing about the upstream's health. */
  free?: boolean;
  /** Meaning of the node's JSON-RPC error, or the equivalent for another failure. */
  meaning?: ErrorMeaning;
}

/** Error if an upstream gave no usable answer. The message contains no URL, because URLs contain API keys. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly brand = 'turnpike.UpstreamFailure';
  readonly #body: Buffer | null;

  /** @param body body of an answer whose status is not 200; it is never logged */
  constructor(
    readonly reason: FailureReason,
    message: string,
    readonly facts: FailureFacts = {},
    body: Buffer | null = null,
  ) {
    super(message);
    this.#body = body;
  }

  /** Body of the answer; null if the body was late or too large. */
  get body(): Buffer | null {
    return this.#body;
  }
}

/** Returns whether a value is an `UpstreamFailure`, even if another bundle of this process created it. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return (
    typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'turnpike.UpstreamFailure'
  );
}

/** Maximum pause of an upstream. If Retry-After is longer, this maximum applies. */
const REST_MS_MAX = 60_000;

/**
 * Parses Retry-After (RFC 9110, section 10.2.3: seconds or a date) into milliseconds, at most `REST_MS_MAX`; undefined
 * if absent or invalid.
 * @param nowMs current time in Unix milliseconds
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  // A date must begin with a weekday's name, because `Date.parse` would also accept "-5".
  const delayMs = /^\d{1,9}$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]/.test(text)
      ? Date.parse(text) - nowMs
      : NaN;
  return Number.isFinite(delayMs) ? Math.min(REST_MS_MAX, Math.max(0, delayMs)) : undefined;
}

/**
 * Waits at least this long. Adds 1 ms, because timers may fire slightly early.
 * @throws UpstreamFailure `aborted` when the caller disconnects
 */
export function pause(delayMs: number, whenGone?: WhenGone): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        stopListening?.();
        resolve();
      },
      Math.ceil(delayMs) + 1,
    );
    const stopListening = whenGone?.(() => {
      clearTimeout(timer);
      reject(new UpstreamFailure('aborted', 'the client closed the connection'));
    });
  });
}

/**
 * Waits for work that several callers share. If this wait ends early, the work continues.
 * @throws UpstreamFailure `aborted` when the caller disconnects; `timeout` when the deadline has passed
 */
export function untilCancelled(event: Promise<void>, asker: Asker | undefined, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (failure: UpstreamFailure | null): void => {
      clearTimeout(timer);
      stopListening?.();
      if (failure) reject(failure);
      else resolve();
    };
    const timer = setTimeout(
      () => end(new UpstreamFailure('timeout', 'it did not report its chain in time')),
      Math.max(1, deadline - performance.now()),
    );
    const stopListening = asker?.whenGone(() =>
      end(new UpstreamFailure('aborted', 'the client closed the connection')),
    );
    void event.then(() => end(null));
  });
}
