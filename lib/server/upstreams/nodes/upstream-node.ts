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

/** Rest after a rate limit that names no time. */
const REST_MS = 1_000;
/** Rest where credits are used up: they may be bought, or come back with the day. */
const QUOTA_REST_MS = 10_000;
const BATCH_REFUSAL_MS = 600_000;
/** After this long without use, an upstream's slowness counts half: it may have become fast. */
const FORGETTING_MS = 10_000;
/** Statuses by which the upstream refuses this request and not requests: no mark against it. */
const isRequestFault = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 407, 408].includes(status);

/** What is known of one method on one upstream. Opaque to callers, who get it from `begin` and give it back. */
export interface MethodRecord {
  readonly method: string;
  latencies: LatencyWindow;
  breaker: CircuitBreaker | null;
  inFlight: number;
  usedAt: number;
}

/** One upstream of a network, with all that decides whether it is asked. Times are of `performance.now()`. */
export class UpstreamNode {
  readonly health = new NodeHealth();
  /** Null where there is nothing to prove. */
  readonly proof: ChainProof | null;
  /** Of all calls, for people. */
  readonly latencies = new LatencyWindow();
  /** What it was found not to do; null before anything was. */
  capabilities: NodeCapabilities | null = null;
  inFlight = 0;
  readonly #records = new Map<string, MethodRecord>();
  #connectionBreaker: CircuitBreaker | null = null;
  #answered = 0;
  #lost = 0;
  readonly #failures = new Map<FailureReason, number>();
  #restUntil = 0;
  #refusesBatchesUntil = 0;
  /** Items of the longest batch that it was not found to refuse. */
  #batchItemsMax = Infinity;

  /**
   * @param name as people see it, `upstream 1`: URLs hold keys.
   * @param alone whether there is no other to turn to.
   * @param prove makes its proof of the chain, where there is something to prove.
   * @param heads how far it is known to be; null where nobody has to know.
   */
  constructor(
    readonly name: string,
    readonly upstream: Upstream,
    private readonly alone: boolean,
    private readonly breakerOptions: CircuitBreakerOptions,
    private readonly onTrouble: (node: UpstreamNode, trouble: string) => void,
    prove: ((node: UpstreamNode) => ChainProof) | null = null,
    readonly heads: NodeHeads | null = null,
  ) {
    this.proof = prove?.(this) ?? null;
  }

  /** Whether it may see which trace a request belongs to. */
  get sendsTraceContext(): boolean {
    return this.upstream.sendsTraceContext;
  }

  /** Whether it may be asked now: of the right chain, neither resting nor cut off by a breaker. */
  admits(method: string, now: number): boolean {
    if (now < this.#restUntil || !this.health.servesChain || !this.isConnectable(now)) return false;
    const breaker = this.#records.get(method)?.breaker;
    return !breaker || breaker.admits(now);
  }

  /** Whether connections to it may be tried now. */
  isConnectable(now: number): boolean {
    return this.#connectionBreaker === null || this.#connectionBreaker.admits(now);
  }

  /** When it can be asked again, if it cannot be now. */
  admitsAt(method: string): number {
    const breakers = [this.#connectionBreaker, this.#records.get(method)?.breaker ?? null];
    return Math.max(
      this.#restUntil,
      ...breakers.map((breaker) => (breaker && !breaker.isClosed ? breaker.openUntil : 0)),
    );
  }

  /**
   * How long a call may be expected to take, in milliseconds: the smaller, the better. What was never tried is tried
   * at once, by one call.
   */
  expectation(method: string, now: number): number {
    const record = this.#records.get(method);
    const averageMs = record?.latencies.averageMs ?? null;
    if (!record || averageMs === null) return record && record.inFlight > 0 ? Infinity : 0;
    return averageMs * 2 ** ((record.usedAt - now) / FORGETTING_MS) * (1 + this.inFlight);
  }

  /** The latency that a share `q` of the answers to a method do not exceed, once there are enough of them; else null. */
  latencyOf(method: string, q: number, answersMin: number): number | null {
    const latencies = this.#records.get(method)?.latencies;
    return latencies && latencies.count >= answersMin ? latencies.quantile(q) : null;
  }

  /** How its calls came out since the start: answered, lost to another upstream, or the reason of their failure. */
  *outcomes(): IterableIterator<[outcome: string, count: number]> {
    yield ['answered', this.#answered];
    yield ['lost', this.#lost];
    yield* this.#failures;
  }

  /** A call begins; `succeeded`, `failed` or `lost` ends it, once. */
  begin(method: string, now: number): MethodRecord {
    const record = this.#recordOf(method);
    record.inFlight++;
    record.usedAt = now;
    this.inFlight++;
    record.breaker?.begin();
    this.#connectionBreaker?.begin();
    return record;
  }

  /** It answered. @param measured whether the time it took says something of its speed, as an error's does not. */
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

  /** It failed: what that means for the next calls. */
  failed(record: MethodRecord, failure: UpstreamFailure, now: number): void {
    this.#end(record);
    const { reason, facts } = failure;
    this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
    if (reason === 'aborted' || reason === 'overloaded') return this.#abandon(record, now);
    // What is free says nothing of its health.
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
      this.onTrouble(
        this,
        `${failure.message}; calls${opened === 'method' ? ` of ${record.method}` : ''} go elsewhere for a while`,
      );
  }

  /** It lost a race: it would have taken at least this long. */
  lost(record: MethodRecord, elapsedMs: number, now: number): void {
    this.#lost++;
    this.#end(record);
    record.latencies.addAtLeast(elapsedMs);
    this.#abandon(record, now);
  }

  /** A health check reached it. */
  reached(elapsedMs: number): void {
    this.latencies.add(elapsedMs);
    this.#connectionBreaker = null;
  }

  /** It is not asked for a while. Without effect where no other can take over. */
  rest(now: number, restMs = REST_MS): void {
    if (!this.alone) this.#restUntil = Math.max(this.#restUntil, now + restMs);
  }

  /** It said of itself by an error what this means. Where no other can take over, that counts for ranges alone. */
  learn(meaning: ErrorMeaning, { method, reference, message }: Omit<CapabilityError, 'headHeight'>, now: number): void {
    if (this.alone && meaning !== 'range-limit') return;
    if (meaning === 'rate-limited') this.rest(now);
    else if (meaning === 'quota') this.rest(now, QUOTA_REST_MS);
    else if (ERROR_CONSEQUENCES[meaning].node === 'capability') {
      const headHeight = this.heads?.heightOf(reference?.commitment ?? 0) ?? 0;
      (this.capabilities ??= new NodeCapabilities()).learn(meaning, { method, reference, message, headHeight }, now);
    }
  }

  /** Whether it is known not to serve such a call. */
  lacks(method: string, reference: BlockReference | null, now: number): boolean {
    return this.capabilities !== null && this.capabilities.lacks(method, reference, now);
  }

  restsFor(now: number): number {
    return Math.max(0, this.#restUntil - now);
  }

  /** Whether connections to it, or any method on it, are cut off. */
  get isCutOff(): boolean {
    if (this.#connectionBreaker && !this.#connectionBreaker.isClosed) return true;
    for (const { breaker } of this.#records.values()) if (breaker && !breaker.isClosed) return true;
    return false;
  }

  /** It refused a batch of so many items. Shorter ones may still be served. */
  refuseBatches(now: number, count: number): void {
    this.#batchItemsMax = Math.min(this.refusesBatches(now, Infinity) ? this.#batchItemsMax : Infinity, count - 1);
    this.#refusesBatchesUntil = now + BATCH_REFUSAL_MS;
  }

  refusesBatches(now: number, count: number): boolean {
    return now < this.#refusesBatchesUntil && count > this.#batchItemsMax;
  }

  /** Most items of a batch that it serves; null where no limit is known. */
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
    this.onTrouble(this, `it asked to be left alone; calls go elsewhere for ${Math.ceil(this.restsFor(now))} ms`);
  }

  #connectionFailed(now: number): 'connection' | null {
    this.#connectionBreaker ??= new CircuitBreaker(this.breakerOptions);
    return this.#connectionBreaker.failed(now) ? 'connection' : null;
  }

  #methodFailed(record: MethodRecord, now: number): 'method' | null {
    record.breaker ??= new CircuitBreaker(this.breakerOptions);
    // A probe of the connection that got as far as a failure of the call has proved the connection.
    this.#connectionBreaker = null;
    return record.breaker.failed(now) ? 'method' : null;
  }
}
