import type { Logger } from 'pino';
import type { CircuitBreaker } from '../circuit-breaker';
import { UpstreamFailed } from './upstream-failure';

/** With less left of the time, no further upstream is asked. */
const ATTEMPT_MS_MIN = 50;

/** A server of models, as far as it matters for the order in which several are asked. */
export interface FailoverUpstream {
  readonly name: string;
  readonly breaker: CircuitBreaker;
  /** Its models could not be listed when they were last looked at. */
  readonly isUnlisted?: boolean;
}

export interface FailoverTimeouts {
  /** What the first attempt may take until its answer begins, and each further one at most. */
  firstByteTimeoutMs: number;
  /** What all attempts may take together. The first is made whatever it takes. */
  failoverTimeoutMs: number;
}

/**
 * The upstreams that have a model, asked in turn for one call: first those that seem well, in the order of the
 * configuration, the others as the last resort. Keeps the time that is left, and the record of each upstream; whether
 * an answer is worth another attempt is for its caller to say.
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
  ) {
    this.#models = inOrder(models, this.#startedAt);
  }

  /** The model at the upstream whose turn it is. */
  get current(): Model {
    return this.#models[this.#at] as Model;
  }

  /** How long the current attempt may take until its answer begins. */
  get timeoutMs(): number {
    const { firstByteTimeoutMs } = this.timeouts;
    return this.#at === 0 || this.#hasWorked
      ? firstByteTimeoutMs
      : Math.max(1, Math.min(firstByteTimeoutMs, Math.ceil(this.#leftMs)));
  }

  /** An attempt is made: where the upstream's breaker lets one probe through, this is it. */
  begin(): void {
    const { breaker } = this.current.upstream;
    if (!this.#hasWorked && breaker.admits(performance.now())) breaker.begin();
  }

  /** The upstream gave a sound answer, or began one. Nobody else is asked after this. */
  worked(): void {
    if (this.#hasWorked) return;
    this.#hasWorked = true;
    this.current.upstream.breaker.succeeded();
  }

  /** The attempt ended through no fault of the upstream. */
  abandoned(): void {
    this.current.upstream.breaker.abandoned(performance.now());
  }

  /** The attempt failed by the upstream's fault. */
  failed(): void {
    noteFailure(this.current.upstream, this.log);
  }

  /** Passes the turn on. @returns false where nobody else can be asked, or no more. */
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

/** Enters a failure into an upstream's record. */
export function noteFailure({ name, breaker }: FailoverUpstream, log: Logger): void {
  if (breaker.failed(performance.now()))
    log.warn({ upstream: name }, 'an upstream keeps failing: where another has its models, that one is asked first');
}

/** Whether an upstream's silence is one that another upstream may break: it cannot be reached, or takes too long. */
export function isSilence(error: unknown): boolean {
  return error instanceof UpstreamFailed && (error.reason === 'away' || error.reason === 'timeout');
}

function inOrder<Model extends { readonly upstream: FailoverUpstream }>(
  models: readonly Model[],
  now: number,
): readonly Model[] {
  if (models.length === 1) return models;
  const isWell = ({ upstream }: Model): boolean => !upstream.isUnlisted && upstream.breaker.admits(now);
  return [...models.filter(isWell), ...models.filter((model) => !isWell(model))];
}
