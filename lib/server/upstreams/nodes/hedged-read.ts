import { CancelSignal, type JoinLine } from './asker';
import type { AttemptContext } from './node-request';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';
import type { MethodRecord, UpstreamNode } from './upstream-node';

interface Runner {
  node: UpstreamNode;
  record: MethodRecord;
  signal: CancelSignal;
  startedAt: number;
  running: boolean;
}

interface HedgeSettings {
  delayMs: number;
  timeoutMs: number;
  /** Returns a second upstream to ask; null if none. Called once, after the delay. */
  second: () => UpstreamNode | null | Promise<UpstreamNode | null>;
}

/**
 * Asks one upstream. If it has not answered after the delay, asks a second upstream too. The first answer wins, and the
 * other request is cancelled. If the first upstream fails before the delay, the calling code decides whether to retry.
 */
export function readHedged<T>(first: UpstreamNode, context: AttemptContext<T>, settings: HedgeSettings): Promise<T> {
  return new Promise((resolve, reject) => new HedgedRead(context, settings, resolve, reject).start(first));
}

class HedgedRead<T> {
  readonly #runners: Runner[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: (() => void) | undefined;
  readonly #onSent = (): void => this.context.asker?.onSent();
  readonly #onQueued = (joinLine: JoinLine): void => this.context.asker?.onQueued?.(joinLine);
  #failure: unknown = null;
  #isOver = false;

  constructor(
    private readonly context: AttemptContext<T>,
    private readonly settings: HedgeSettings,
    private readonly resolve: (answer: T) => void,
    private readonly reject: (failure: unknown) => void,
  ) {
    this.#timer = setTimeout(() => this.#hedge(), settings.delayMs);
    this.#stopListening = context.asker?.whenGone(() => this.#giveUp());
  }

  start(node: UpstreamNode): void {
    if (this.#isOver) return;
    const startedAt = performance.now();
    const runner: Runner = {
      node,
      record: node.begin(this.context.method, startedAt),
      signal: new CancelSignal(this.#onSent, this.#onQueued),
      startedAt,
      running: true,
    };
    this.#runners.push(runner);
    this.context.tried.push(node);
    const timeoutMs = Math.min(this.settings.timeoutMs, Math.max(1, Math.round(this.context.deadline - startedAt)));
    this.context.request.ask(node, timeoutMs, runner.signal).then(
      (answer) => this.#won(runner, answer),
      (error: unknown) => this.#failed(runner, error),
    );
  }

  #hedge(): void {
    const found = this.settings.second();
    if (found instanceof Promise) void found.then((node) => node && this.start(node));
    else if (found) this.start(found);
  }

  #won(runner: Runner, answer: T): void {
    if (!runner.running) return;
    runner.running = false;
    runner.node.succeeded(runner.record, performance.now() - runner.startedAt, this.context.request.isMeasured(answer));
    this.#finish((other, now) => other.node.lost(other.record, now - other.startedAt, now));
    this.resolve(answer);
  }

  #failed(runner: Runner, error: unknown): void {
    if (!runner.running) return;
    runner.running = false;
    const failure = isUpstreamFailure(error)
      ? error
      : new UpstreamFailure('not-json', 'its answer could not be parsed');
    runner.node.failed(runner.record, failure, performance.now());
    this.context.failures.push(`${runner.node.name}: ${failure.message}`);
    this.#failure ??= error;
    if (this.#runners.some(({ running }) => running)) return;
    this.#finish();
    this.reject(this.#failure);
  }

  #giveUp(): void {
    const failure = new UpstreamFailure('aborted', 'the client closed the connection');
    this.#finish((runner, now) => runner.node.failed(runner.record, failure, now));
    this.reject(failure);
  }

  #finish(callOff?: (runner: Runner, now: number) => void): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
    for (const runner of this.#runners) {
      if (!runner.running) continue;
      runner.running = false;
      callOff?.(runner, performance.now());
      runner.signal.cancel();
    }
  }
}

export interface HedgeDelayOptions {
  minDelayMs: number;
  maxDelayMs: number;
}

const INITIAL_MS = 250;
const ANSWERS_MIN = 8;
const QUANTILE = 0.95;

/**
 * Returns the delay before a hedge, within limits. The delay is the 95th percentile of the method's latency at the
 * upstream where this percentile is lowest. Lagging and failing upstreams are ignored.
 */
export function hedgeDelayMs(
  nodes: readonly UpstreamNode[],
  method: string,
  { minDelayMs, maxDelayMs }: HedgeDelayOptions,
): number {
  let least = Infinity;
  for (const node of nodes) {
    if (node.health.isDoubtful) continue;
    const latencyMs = node.latencyOf(method, QUANTILE, ANSWERS_MIN);
    if (latencyMs !== null && latencyMs < least) least = latencyMs;
  }
  return Math.ceil(Math.min(maxDelayMs, Math.max(minDelayMs, least === Infinity ? INITIAL_MS : least)));
}
