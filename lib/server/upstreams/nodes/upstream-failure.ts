import type { WhenGone } from '../../http/call';
import type { Asker } from './asker';
import type { ErrorMeaning } from './error-meaning';

export type FailureReason =
  /** The connection failed, or broke before the answer was complete. */
  | 'connection'
  | 'timeout'
  | 'status'
  /** Status 429, or 503 with Retry-After. */
  | 'rate-limited'
  | 'too-large'
  | 'not-json'
  /** Answer to another request, or a batch without all answers. */
  | 'mismatch'
  /** JSON-RPC error of a node that cannot serve the call. Other nodes may serve it. */
  | 'node-fault'
  /** The upstream serves another chain. Only the chain check was sent. */
  | 'wrong-chain'
  | 'unavailable'
  /** The gateway had no memory for the answer. The upstream is not at fault. */
  | 'overloaded'
  /** The request was not sent, because no connection was free in time. */
  | 'busy'
  | 'aborted';

interface FailureFacts {
  status?: number;
  /** Milliseconds to wait, from the upstream's answer or the length of the gateway's queue. */
  retryAfterMs?: number;
  /** True if no byte was sent. Even a transaction can then go to another upstream. */
  unsent?: boolean;
  /** True if a retry does not use the budget, because the failure says nothing about health. */
  free?: boolean;
  /** Meaning of the JSON-RPC error, or of an equivalent failure. */
  meaning?: ErrorMeaning;
}

/** Reason why an upstream gave no usable answer. The text names no URL, because URLs contain API keys. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly brand = 'turnpike.UpstreamFailure';
  readonly #body: Buffer | null;

  /** @param body answer body of a status other than 200; never logged */
  constructor(
    readonly reason: FailureReason,
    message: string,
    readonly facts: FailureFacts = {},
    body: Buffer | null = null,
  ) {
    super(message);
    this.#body = body;
  }

  /** Null if the body was late or too large. */
  get body(): Buffer | null {
    return this.#body;
  }
}

/** Returns whether a value is an `UpstreamFailure` of any bundle of this process. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return (
    typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'turnpike.UpstreamFailure'
  );
}

/** Maximum pause of an upstream. Longer Retry-After values are shortened. */
const REST_MS_MAX = 60_000;

/**
 * Parses Retry-After (RFC 9110, section 10.2.3: seconds or a date), at most `REST_MS_MAX`; undefined if absent or
 * invalid.
 * @param nowMs Unix milliseconds
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  // Requires the name of a weekday, because `Date.parse` would also accept "-5".
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
 * Waits for work that several callers share. The work continues if this wait ends.
 * @throws UpstreamFailure `aborted` when the caller disconnects; `timeout` past the deadline
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
