import { type ErrorCode, isApiError } from '@/lib/protocol/errors';
import type { Logger } from 'pino';
import { untilEnded } from '../../http/request-record';
import type { CircuitBreaker } from '../circuit-breaker';
import type { RequestSlots } from '../request-slots';
import type { Call } from '../../http/call';
import type { ModelRequest, UpstreamAnswer } from './model-exchange';
import type { ModelUpstream } from './model-upstream';
import { failureError, NO_CREDIT, refusedError, UpstreamFailed } from './upstream-error';

const ATTEMPT_MS_MIN = 50;

interface FailoverUpstream {
  readonly name: string;
  readonly breaker: CircuitBreaker;
  readonly isUnlisted?: boolean;
  readonly slots?: Pick<RequestSlots, 'hasRoomFor'>;
}

interface FailoverTimeouts {
  /** Time in which the first attempt's answer must begin. Later attempts have at most the same time. */
  firstByteTimeoutMs: number;
  /** Timeout of all attempts together. The first attempt always has its full time. */
  failoverTimeoutMs: number;
}

/**
 * Tries a model's upstreams in turn for one call: healthy upstreams with a free slot, then other healthy ones, then
 * unhealthy ones, each group in configured order. Tracks the remaining time, and reports outcomes
 * to the circuit breakers.
 */
export class Failover<Model extends { readonly upstream: FailoverUpstream }> {
  readonly #models: readonly Model[];
  readonly #startedAt = performance.now();
  #at = 0;
  #hasWorked = false;

  constructor(
    models: readonly Model[],
    private readonly timeouts: FailoverTimeouts,
    private readonly log: Logger,
    caller: number | null = null,
  ) {
    this.#models = inOrder(models, this.#startedAt, caller);
  }

  get current(): Model {
    return this.#models[this.#at] as Model;
  }

  get timeoutMs(): number {
    const { firstByteTimeoutMs } = this.timeouts;
    return this.#at === 0 || this.#hasWorked
      ? firstByteTimeoutMs
      : Math.max(1, Math.min(firstByteTimeoutMs, Math.ceil(this.#leftMs)));
  }

  /** Begins an attempt. If the upstream's circuit breaker is due for a probe call, this attempt is the probe. */
  begin(): void {
    const { breaker } = this.current.upstream;
    if (!this.#hasWorked && breaker.admits(performance.now())) breaker.begin();
  }

  /** Records that a usable answer has begun. After this, no other upstream is asked. */
  worked(): void {
    if (this.#hasWorked) return;
    this.#hasWorked = true;
    this.current.upstream.breaker.succeeded();
  }

  /** Ends an attempt that failed through no fault of the upstream. */
  abandoned(): void {
    this.current.upstream.breaker.abandoned(performance.now());
  }

  /** Ends an attempt that failed because of the upstream. */
  failed(): void {
    noteFailure(this.current.upstream, this.log);
  }

  /**
   * Moves on to the next upstream.
   * @returns false if an answer has begun, all upstreams were asked, or no time is left
   */
  next(): boolean {
    const isLast = this.#at === this.#models.length - 1;
    if (this.#hasWorked || isLast || this.#leftMs < ATTEMPT_MS_MIN) return false;
    this.#at++;
    return true;
  }

  get #leftMs(): number {
    return this.timeouts.failoverTimeoutMs - (performance.now() - this.#startedAt);
  }
}

export function noteFailure({ name, breaker }: FailoverUpstream, log: Logger): void {
  if (breaker.failed(performance.now()))
    log.warn({ upstream: name }, 'upstream failed repeatedly; other upstreams are tried first');
}

/** Returns whether an error means that the upstream is unreachable or too slow. */
export function isSilence(error: unknown): boolean {
  return error instanceof UpstreamFailed && (error.reason === 'away' || error.reason === 'timeout');
}

/** Returns whether an error means that no request was sent, because too many are running. */
export function isBusy(error: unknown): boolean {
  return error instanceof UpstreamFailed && error.reason === 'busy';
}

/** @throws ApiError MODEL_BUSY if none of a model's upstreams accepts another request from the caller */
export function requireFreeSlots(models: readonly { readonly upstream: ModelUpstream }[], caller: number): void {
  if (models.every(({ upstream }) => upstream.refuses(caller))) throw failureError(new UpstreamFailed('busy'));
}

function inOrder<Model extends { readonly upstream: FailoverUpstream }>(
  models: readonly Model[],
  now: number,
  caller: number | null,
): readonly Model[] {
  if (models.length === 1) return models;
  const rank = ({ upstream }: Model): number => {
    if (upstream.isUnlisted || !upstream.breaker.admits(now)) return 2;
    return upstream.slots?.hasRoomFor(caller) === false ? 1 : 0;
  };
  return models.toSorted((one, other) => rank(one) - rank(other));
}

const MAY_BE_BETTERED: ReadonlySet<ErrorCode> = new Set([
  'MODEL_BUSY',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_ANSWER_INVALID',
]);

export function mayBeBettered(error: unknown): boolean {
  return isSilence(error) || (isApiError(error) && (MAY_BE_BETTERED.has(error.code) || error.cause === NO_CREDIT));
}

export function isUpstreamsFault(error: unknown): boolean {
  return mayBeBettered(error) || (isApiError(error) && error.code === 'MODEL_MISCONFIGURED');
}

interface WholeAsking {
  config: FailoverTimeouts & { answerBytesMax: number };
  log: Logger;
  call: Pick<Call, 'requestId' | 'record' | 'whenGone'>;
  caller: number;
}

/**
 * Asks a model's upstreams in turn until one gives a usable answer. Tries the next upstream after silence, overload, a
 * failure, a 402 or an unreadable answer. Any other refusal ends the call, as does a client that disconnects
 * before sending.
 * @param read parses an answer with status 200; throws ApiError MODEL_ANSWER_INVALID if the answer is unusable
 * @param isAskedAgain returns true to ask the same upstream again after a refusal
 * @throws ApiError for the last upstream's failure
 */
export async function askForWhole<Model extends { readonly upstream: ModelUpstream }, Result>(
  models: readonly Model[],
  { config, log, call: { requestId, record, whenGone }, caller }: WholeAsking,
  question: (model: Model) => ModelRequest,
  read: (answer: UpstreamAnswer, model: Model) => Result,
  isAskedAgain: (refusal: UpstreamAnswer, model: Model) => boolean = () => false,
): Promise<Result> {
  const turns = new Failover(models, config, log, caller);
  for (;;) {
    const { current } = turns;
    const { upstream } = current;
    const attempt = record.asks(upstream);
    turns.begin();
    try {
      const ask = (): Promise<UpstreamAnswer> =>
        upstream.ask(
          {
            ...question(current),
            turn: { caller, whenGone },
            timeoutMs: turns.timeoutMs,
            traceparent: attempt?.traceparent,
          },
          config.answerBytesMax,
        );
      const asking = ask().then((first) => (first.status !== 200 && isAskedAgain(first, current) ? ask() : first));
      const answer = await (attempt ? untilEnded(asking, attempt) : asking);
      if (answer.status !== 200) throw refusedError(answer, upstream);
      const result = read(answer, current);
      turns.worked();
      return result;
    } catch (error) {
      if (isBusy(error) || !isUpstreamsFault(error)) turns.abandoned();
      else {
        // Logs only a code, because the upstream's message may quote the request.
        log.warn({ requestId, upstream: upstream.name, reason: reasonOf(error) }, 'upstream returned no usable answer');
        turns.failed();
      }
      if (!(mayBeBettered(error) || isBusy(error)) || !turns.next()) throw failureError(error);
    }
  }
}

function reasonOf(error: unknown): string {
  if (isApiError(error)) return error.code;
  return error instanceof UpstreamFailed ? error.reason : 'failed';
}
