import { CircuitBreaker, type CircuitBreakerOptions } from '../circuit-breaker';
import type { ChainProof } from './chain-proof';
import type { BlockReference } from './block-reference';
import { ERROR_CONSEQUENCES, type ErrorMeaning } from './error-meaning';
import { LatencyWindow } from './latency-window';
import { type CapabilityError, NodeCapabilities } from './node-capabilities';
import type { NodeHeads } from './node-heads';
import { NodeHealth } from './node-health';
import type { Upstream } from './upstream';
import type { FailureReason, UpstreamFailure } from './upstream-failure';

const REST_MS = 1_000;
/** Pause after the credits are used up. It is short, because new credits may be bought at any time. */
const QUOTA_REST_MS = 10_000;
const BATCH_REFUSAL_MS = 600_000;
/** Half-life of a measured latency while there are no calls, so that a slow upstream is tried again. */
const FORGETTING_MS = 10_000;
const isRequestFault = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 407, 408].includes(status);

/** State of one method on one upstream. Other code must not read its fields. */
export interface MethodRecord {
  readonly method: string;
  latencies: LatencyWindow;
  breaker: CircuitBreaker | null;
  inFlight: number;
  usedAt: number;
}

/** Reason why calls avoid an upstream for a while. If `method` is set, only calls with this method avoid it. */
export interface UpstreamTrouble {
  reason: string;
  method?: string;
  pauseMs?: number;
}

/** Upstream of a network, with its state for routing. Times are values of `performance.now()`. */
export class UpstreamNode {
  readonly health = new NodeHealth();
  readonly proof: ChainProof | null;
  readonly latencies = new LatencyWindow();
  capabilities: NodeCapabilities | null = null;
  inFlight = 0;
  readonly #records = new Map<string, MethodRecord>();
  #connectionBreaker: CircuitBreaker | null = null;
  #answered = 0;
  #lost = 0;
  readonly #failures = new Map<FailureReason, number>();
  #restUntil = 0;
  #refusesBatchesUntil = 0;
  /** Maximum items in a batch. Applies until `#refusesBatchesUntil`. */
  #batchItemsMax = Infinity;

  /**
   * @param name name to display, such as `upstream 1`. It is not the URL, because URLs contain API keys
   * @param alone true if the network has no other upstream
   * @param prove creates the chain check; null if the network's identity is unknown or not checked.
   */
  constructor(
    readonly name: string,
    readonly upstream: Upstream,
    private readonly alone: boolean,
    private readonly breakerOptions: CircuitBreakerOptions,
    private readonly onTrouble: (node: UpstreamNode, trouble: UpstreamTrouble) => void,
    prove: ((node: UpstreamNode) => ChainProof) | null = null,
    readonly heads: NodeHeads | null = null,
  ) {
    this.proof = prove?.(this) ?? null;
  }

  get sendsTraceContext(): boolean {
    return this.upstream.sendsTraceContext;
  }

  /**
   * Returns whether the upstream can be asked now: it serves the right chain, is not paused, and its circuit breaker is
   * not open.
   */
  admits(method: string, now: number): boolean {
    if (now < this.#restUntil || !this.health.servesChain || !this.isConnectable(now)) return false;
    const breaker = this.#records.get(method)?.breaker;
    return !breaker || breaker.admits(now);
  }

  isConnectable(now: number): boolean {
    return this.#connectionBreaker === null || this.#connectionBreaker.admits(now);
  }

  admitsAt(method: string): number {
    const breakers = [this.#connectionBreaker, this.#records.get(method)?.breaker ?? null];
    return Math.max(
      this.#restUntil,
      ...breakers.map((breaker) => (breaker && !breaker.isClosed ? breaker.openUntil : 0)),
    );
  }

  /**
   * Returns the expected latency in milliseconds. An untried upstream counts as the fastest until its first call
   * begins.
   */
  expectation(method: string, now: number): number {
    const record = this.#records.get(method);
    const averageMs = record?.latencies.averageMs ?? null;
    if (!record || averageMs === null) return record && record.inFlight > 0 ? Infinity : 0;
    return averageMs * 2 ** ((record.usedAt - now) / FORGETTING_MS) * (1 + this.inFlight);
  }

  latencyOf(method: string, q: number, answersMin: number): number | null {
    const latencies = this.#records.get(method)?.latencies;
    return latencies && latencies.count >= answersMin ? latencies.quantile(q) : null;
  }

  /** Yields the number of calls for each outcome: answered, lost a hedge, or the reason for a failure. */
  *outcomes(): IterableIterator<[outcome: string, count: number]> {
    yield ['answered', this.#answered];
    yield ['lost', this.#lost];
    yield* this.#failures;
  }

  begin(method: string, now: number): MethodRecord {
    const record = this.#recordOf(method);
    record.inFlight++;
    record.usedAt = now;
    this.inFlight++;
    record.breaker?.begin();
    this.#connectionBreaker?.begin();
    return record;
  }

  /** @param measured true if the latency reflects the upstream's speed; false for errors */
  succeeded(record: MethodRecord, elapsedMs: number, measured: boolean): void {
    this.#answered++;
    this.#end(record);
    if (measured) {
      record.latencies.add(elapsedMs);
      this.latencies.add(elapsedMs);
    }
    if (record.breaker) {
      record.breaker.succeeded();
      if (record.breaker.isSound) record.breaker = null;
    }
    this.#connectionBreaker = null;
  }

  failed(record: MethodRecord, failure: UpstreamFailure, now: number): void {
    this.#end(record);
    const { reason, facts } = failure;
    this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
    if (reason === 'aborted' || reason === 'overloaded' || reason === 'busy') return this.#abandon(record, now);
    // A `free` failure says nothing about the upstream's health.
    if (!facts.free) this.health.lastError = { message: failure.message, at: Date.now() };
    if (reason === 'rate-limited') return this.#rest(facts.retryAfterMs, record, now);
    if (
      reason === 'too-large' ||
      reason === 'node-fault' ||
      (reason === 'status' && isRequestFault(facts.status ?? 0))
    ) {
      record.breaker?.succeeded();
      return;
    }
    const opened =
      reason === 'connection' && facts.unsent ? this.#connectionFailed(now) : this.#methodFailed(record, now);
    if (opened)
      this.onTrouble(this, { reason: failure.message, ...(opened === 'method' && { method: record.method }) });
  }

  /**
   * Records that another upstream won a hedge after `elapsedMs`. The latency of this upstream counts as at least that
   * long.
   */
  lost(record: MethodRecord, elapsedMs: number, now: number): void {
    this.#lost++;
    this.#end(record);
    record.latencies.addAtLeast(elapsedMs);
    this.#abandon(record, now);
  }

  reached(elapsedMs: number): void {
    this.latencies.add(elapsedMs);
    this.#connectionBreaker = null;
  }

  /** Pauses the upstream unless it is the network's only upstream. */
  rest(now: number, restMs = REST_MS): void {
    if (!this.alone) this.#restUntil = Math.max(this.#restUntil, now + restMs);
  }

  /**
   * Pauses the upstream or records a missing capability, depending on the meaning of an error. For a network's only
   * upstream, records only range limits.
   */
  learn(meaning: ErrorMeaning, { method, reference, message }: Omit<CapabilityError, 'headHeight'>, now: number): void {
    if (this.alone && meaning !== 'range-limit') return;
    if (meaning === 'rate-limited') this.rest(now);
    else if (meaning === 'quota') this.rest(now, QUOTA_REST_MS);
    else if (ERROR_CONSEQUENCES[meaning].node === 'capability') {
      const headHeight = this.heads?.heightOf(reference?.commitment ?? 0) ?? 0;
      (this.capabilities ??= new NodeCapabilities()).learn(meaning, { method, reference, message, headHeight }, now);
    }
  }

  lacks(method: string, reference: BlockReference | null, now: number): boolean {
    return this.capabilities !== null && this.capabilities.lacks(method, reference, now);
  }

  restsFor(now: number): number {
    return Math.max(0, this.#restUntil - now);
  }

  get isCutOff(): boolean {
    if (this.#connectionBreaker && !this.#connectionBreaker.isClosed) return true;
    for (const { breaker } of this.#records.values()) if (breaker && !breaker.isClosed) return true;
    return false;
  }

  /** Records that the upstream refused a batch of `count` items. It may serve shorter batches. */
  refuseBatches(now: number, count: number): void {
    this.#batchItemsMax = Math.min(this.refusesBatches(now, Infinity) ? this.#batchItemsMax : Infinity, count - 1);
    this.#refusesBatchesUntil = now + BATCH_REFUSAL_MS;
  }

  refusesBatches(now: number, count: number): boolean {
    return now < this.#refusesBatchesUntil && count > this.#batchItemsMax;
  }

  batchItemsMax(now: number): number | null {
    return this.refusesBatches(now, Infinity) ? this.#batchItemsMax : null;
  }

  #recordOf(method: string): MethodRecord {
    let record = this.#records.get(method);
    if (!record)
      this.#records.set(
        method,
        (record = { method, latencies: new LatencyWindow(), breaker: null, inFlight: 0, usedAt: 0 }),
      );
    return record;
  }

  #end(record: MethodRecord): void {
    record.inFlight--;
    this.inFlight--;
  }

  #abandon(record: MethodRecord, now: number): void {
    record.breaker?.abandoned(now);
    this.#connectionBreaker?.abandoned(now);
  }

  #rest(askedMs: number | undefined, record: MethodRecord, now: number): void {
    this.#abandon(record, now);
    if (askedMs === undefined && this.alone) return;
    this.#restUntil = Math.max(this.#restUntil, now + (askedMs ?? REST_MS));
    this.onTrouble(this, { reason: 'it has reached its rate limit', pauseMs: Math.ceil(this.restsFor(now)) });
  }

  #connectionFailed(now: number): 'connection' | null {
    this.#connectionBreaker ??= new CircuitBreaker(this.breakerOptions);
    return this.#connectionBreaker.failed(now) ? 'connection' : null;
  }

  #methodFailed(record: MethodRecord, now: number): 'method' | null {
    record.breaker ??= new CircuitBreaker(this.breakerOptions);
    // The failure came after connecting, so connecting works.
    this.#connectionBreaker = null;
    return record.breaker.failed(now) ? 'method' : null;
  }
}
