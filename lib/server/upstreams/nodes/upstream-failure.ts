import type { WhenGone } from '../../http/call';
import type { Asker } from './asker';
import type { ErrorMeaning } from './error-meaning';

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
  /** A JSON-RPC error by which the node says that it cannot serve this call; another may. */
  | 'node-fault'
  /** It serves another chain. Nothing but that was asked. */
  | 'wrong-chain'
  /** Nothing was asked: every upstream rests. */
  | 'unavailable'
  /** Its answer was not read on, because there was no memory for it: no fault of its own. */
  | 'overloaded'
  /** It was cancelled. */
  | 'aborted';

/** What is known of a failure beside its reason. */
export interface FailureFacts {
  status?: number;
  /** How long the upstream asked to be left alone, where it said so. */
  retryAfterMs?: number;
  /** No byte of the request left, so that even a transaction can be given to another upstream. */
  unsent?: boolean;
  /** Another upstream may be asked at no cost of the retry budget: the failure says nothing of the upstream's health. */
  free?: boolean;
  /** What the node said of itself, where it did by a JSON-RPC error or in a way that means the same. */
  meaning?: ErrorMeaning;
}

/** Why an upstream gave no usable answer. Its text names no URL, since URLs hold keys. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly brand = 'turnpike.UpstreamFailure';
  readonly #body: Buffer | null;

  /** @param body what came with a status that is not 200; it is never logged. */
  constructor(
    readonly reason: FailureReason,
    message: string,
    readonly facts: FailureFacts = {},
    body: Buffer | null = null,
  ) {
    super(message);
    this.#body = body;
  }

  /** What came with a status that is not 200: a JSON-RPC error, or an error page. Null where it did not come in time and size. */
  get body(): Buffer | null {
    return this.#body;
  }
}

/** Whether a thrown value is an `UpstreamFailure`, of this bundle or another of the same process. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return (
    typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'turnpike.UpstreamFailure'
  );
}

/** Longest rest that an upstream is given, whatever it asks for. */
export const REST_MS_MAX = 60_000;

/**
 * The delay that a Retry-After header asks for (RFC 9110, section 10.2.3: seconds or a date), at most
 * `REST_MS_MAX`; undefined where there is none or it cannot be read.
 * @param nowMs Unix milliseconds.
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  // Dates begin with a day's name; the engine would also read "-5" as one.
  const delayMs = /^\d{1,9}$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]/.test(text)
      ? Date.parse(text) - nowMs
      : NaN;
  return Number.isFinite(delayMs) ? Math.min(REST_MS_MAX, Math.max(0, delayMs)) : undefined;
}

/** Waits at least this long: timers may fire a fraction of a millisecond early. @throws UpstreamFailure `aborted`, at once, when it is cancelled. */
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
 * Waits for an event that others may be waiting for too, and that goes on when this one is cancelled.
 * @throws UpstreamFailure `aborted`, at once, when it is cancelled; `timeout` past the deadline.
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
      () => end(new UpstreamFailure('timeout', 'it did not say in time which chain it serves')),
      Math.max(1, deadline - performance.now()),
    );
    const stopListening = asker?.whenGone(() =>
      end(new UpstreamFailure('aborted', 'the client closed the connection')),
    );
    void event.then(() => end(null));
  });
}
