import type { Asker } from './asker';
import type { BlockDemand } from './block-demand';
import { whenOneIsProved } from './chain-proof';
import { AttemptBudget } from './attempt-budget';
import { chooseLastResort, chooseNode } from './choose-node';
import type { ErrorMeaning } from './error-meaning';
import { type HedgeDelayOptions, hedgeDelayMs, readHedged } from './hedged-read';
import { isUpstreamFailure, pause, untilCancelled, UpstreamFailure } from './upstream-failure';
import type { HeadFloor } from './node-heads';
import type { AttemptContext, NodeRequest } from './node-request';
import type { UpstreamNode } from './upstream-node';

interface PoolOptions {
  /** Timeout of one request, all attempts together. */
  timeoutMs: number;
  attemptTimeoutMs: number;
  retryShare: number;
  hedging: HedgeDelayOptions & { share: number };
}

interface ReadOptions {
  asker?: Asker | undefined;
  deadline?: number | undefined;
  /** Minimum head that the upstream must have. Default: the minimum of `demand`. */
  floor?: HeadFloor | null;
  demand?: BlockDemand | null;
  /** Upstream whose answer is `request.lastResort`. If no other upstream can be asked, that answer is returned. */
  after?: UpstreamNode | undefined;
}

const NONE: readonly UpstreamNode[] = [];
const RETRIES_MAX = 3;
const BACKOFF_MS = 50;
const REST_WAITED_MS_MAX = 2_000;
/** Timeout of a last-resort read, and of an agreed read from a failing upstream. */
const LAST_RESORT_MS = 2_000;
/** Time to wait before a hedge goes to an upstream that is behind. */
const OLDER_AFTER_MS = 1_000;

/**
 * Upstreams of one network (docs/upstreams.md). Retries and hedges reads, each within its own budget. Sends each
 * transaction once.
 */
export class UpstreamPool {
  usedAt: number | null = null;
  watchedAt: number | null = null;
  readonly #retries: AttemptBudget;
  readonly #hedges: AttemptBudget;

  constructor(
    readonly nodes: readonly UpstreamNode[],
    private readonly options: PoolOptions,
  ) {
    this.#retries = new AttemptBudget(options.retryShare);
    this.#hedges = new AttemptBudget(options.hedging.share);
  }

  get hasPeers(): boolean {
    return this.nodes.length > 1;
  }

  get isFull(): boolean {
    return this.nodes.every(({ upstream }) => upstream.isFull);
  }

  deadline(): number {
    return performance.now() + this.options.timeoutMs;
  }

  /**
   * Makes an idempotent request.
   *
   * @param method determines the latencies and circuit breakers to use
   * @throws UpstreamFailure if no upstream gave a usable answer in time. Rethrows the request's other errors
   */
  async read<T>(
    method: string,
    request: NodeRequest<T>,
    { asker, deadline, demand = null, floor = demand?.floor ?? null, after }: ReadOptions = {},
  ): Promise<T> {
    const now = (this.usedAt = performance.now());
    this.#retries.earn();
    if (this.hasPeers) this.#hedges.earn();
    const tried = after ? [after] : [];
    const context: AttemptContext<T> = {
      method,
      request,
      asker,
      deadline: deadline ?? now + this.options.timeoutMs,
      tried,
      floor,
      demand,
      failures: [],
    };
    const node = chooseNode(this.nodes, method, now, tried, floor, demand) ?? (await this.#proved(context));
    if (!node && after && request.lastResort !== null) return request.lastResort;
    if (!node) return this.#readLastResort(context);
    if (floor !== null && node.heads?.isAt(floor) === false) node.heads.tried(floor.commitment, now);
    try {
      return await this.#attempt(node, context, now);
    } catch (error) {
      return this.#again(error, context);
    }
  }

  /** Makes a read-only request to one upstream, once. @throws UpstreamFailure */
  readOnce<T>(
    node: UpstreamNode,
    method: string,
    request: NodeRequest<T>,
    { asker, deadline }: { asker: Asker; deadline: number },
  ): Promise<T> {
    const now = (this.usedAt = performance.now());
    const timeoutMs = node.health.isFailing
      ? Math.min(LAST_RESORT_MS, this.options.attemptTimeoutMs)
      : this.options.attemptTimeoutMs;
    return this.#once(
      node,
      {
        method,
        request,
        asker,
        deadline: Math.min(deadline, now + timeoutMs),
        tried: [],
        floor: null,
        demand: null,
        failures: [],
      },
      now,
    );
  }

  /**
   * Sends a request that must not be sent twice. Tries another upstream only if no byte was sent.
   * @throws UpstreamFailure if no answer came; the upstream may still have received the request
   */
  async send<T>(method: string, request: NodeRequest<T>, deadline = this.deadline()): Promise<T> {
    const context: AttemptContext<T> = {
      method,
      request,
      asker: undefined,
      deadline,
      tried: [],
      floor: null,
      demand: null,
      failures: [],
    };
    for (;;) {
      this.usedAt = performance.now();
      if (this.usedAt >= deadline)
        throw new UpstreamFailure('timeout', `no time was left to send the call within ${this.options.timeoutMs} ms`, {
          unsent: true,
        });
      const node =
        chooseNode(this.nodes, method, this.usedAt, context.tried) ??
        (await this.#proved(context)) ??
        (await this.#lastResort(context));
      try {
        return await this.#once(node, context, performance.now());
      } catch (error) {
        if (request.lastResort !== null) return request.lastResort;
        const isBusyEverywhere =
          isUpstreamFailure(error) && error.reason === 'busy' && context.tried.length >= this.nodes.length;
        if (!isUpstreamFailure(error) || !error.facts.unsent || isBusyEverywhere) throw this.#described(error, context);
      }
    }
  }

  /**
   * Checks upstreams that have not proved their chain, until one has. Retries within the same budget as reads.
   * @returns upstream to ask; null if no proved upstream can be asked
   * @throws UpstreamFailure if no upstream is proved
   */
  async #proved<T>(context: AttemptContext<T>): Promise<UpstreamNode | null> {
    const { method, asker, deadline, tried, floor, demand } = context;
    for (let retry = 0; ; retry++) {
      const unproved = this.nodes.filter(({ health }) => !health.servesChain);
      if (unproved.length === 0) return null;
      await untilCancelled(whenOneIsProved(unproved), asker, deadline);
      const node = chooseNode(this.nodes, method, performance.now(), tried, floor, demand);
      if (node || this.nodes.some(({ health }) => health.servesChain)) return node;
      const delayMs = BACKOFF_MS * 2 ** retry * (0.5 + Math.random());
      const now = performance.now();
      const mayPass = unproved.some(
        ({ proof }) => proof?.failure.reason === 'connection' || proof?.failure.reason === 'status',
      );
      if (!mayPass || retry >= RETRIES_MAX || now + delayMs >= deadline || !this.#retries.take(now))
        throw this.#unproved();
      await pause(delayMs, asker?.whenGone);
    }
  }

  #unproved(): UpstreamFailure {
    const failures = this.nodes.flatMap(({ name, proof }) => (proof ? [{ name, failure: proof.failure }] : []));
    const sentences = failures.map(({ name, failure }) =>
      this.hasPeers ? `${name}: ${failure.message}` : failure.message,
    );
    return new UpstreamFailure(failures[0]?.failure.reason ?? 'unavailable', sentences.join('; '));
  }

  /** Makes one short attempt at an upstream whose circuit breaker is open, because no other upstream can be asked. */
  async #readLastResort<T>(context: AttemptContext<T>): Promise<T> {
    const node = await this.#lastResort(context);
    const now = performance.now();
    try {
      return await this.#once(node, { ...context, deadline: Math.min(context.deadline, now + LAST_RESORT_MS) }, now);
    } catch (error) {
      if (context.request.lastResort !== null && isUpstreamFailure(error) && error.reason !== 'aborted')
        return context.request.lastResort;
      throw this.#described(error, context);
    }
  }

  /**
   * Returns the upstream to try if every circuit breaker is open. If all upstreams are paused, waits for the end of a
   * short pause, but throws immediately if the pause is long.
   */
  async #lastResort<T>(context: AttemptContext<T>): Promise<UpstreamNode> {
    const { method, asker, deadline, tried, failures } = context;
    const now = performance.now();
    const node = chooseLastResort(this.nodes, method, now, tried);
    if (node) return node;
    if (failures.length > 0) throw this.#failed(context, 'connection');
    const restMs = Math.min(...this.#serving().map((each) => each.restsFor(now)));
    if (restMs > REST_WAITED_MS_MAX || now + restMs > deadline) throw this.#unavailable(restMs);
    await pause(restMs, asker?.whenGone);
    const rested = chooseLastResort(this.nodes, method, performance.now(), tried);
    if (!rested) throw this.#unavailable(restMs);
    return rested;
  }

  #attempt<T>(node: UpstreamNode, context: AttemptContext<T>, now: number): Promise<T> {
    if (!this.hasPeers) return this.#once(node, context, now);
    const { method, tried, floor, demand } = context;
    return readHedged(node, context, {
      delayMs: hedgeDelayMs(this.nodes, method, this.options.hedging),
      timeoutMs: this.options.attemptTimeoutMs,
      second: () => {
        const later = performance.now();
        const other = chooseNode(this.nodes, method, later, tried, floor, demand);
        // A lagging upstream might answer first, with an outdated answer.
        if (!other || other.health.isDoubtful || !this.#hedges.take(later)) return null;
        return whereFarEnough(other, floor);
      },
    });
  }

  async #once<T>(
    node: UpstreamNode,
    { method, request, asker, deadline, tried, failures }: AttemptContext<T>,
    startedAt: number,
  ): Promise<T> {
    tried.push(node);
    const record = node.begin(method, startedAt);
    let answer: T;
    try {
      answer = await request.ask(node, Math.max(1, Math.round(deadline - startedAt)), asker);
    } catch (error) {
      const failure = isUpstreamFailure(error)
        ? error
        : new UpstreamFailure('not-json', 'its answer could not be parsed');
      node.failed(record, failure, performance.now());
      failures.push(`${node.name}: ${failure.message}`);
      throw error;
    }
    node.succeeded(record, performance.now() - startedAt, request.isMeasured(answer));
    return answer;
  }

  /**
   * Retries if the policy, the budget and the time allow it. If a node cannot serve the call, asks all other nodes
   * without using the budget.
   */
  async #again<T>(error: unknown, context: AttemptContext<T>): Promise<T> {
    let failed = error;
    for (let retry = 0; retry < RETRIES_MAX && isUpstreamFailure(failed);) {
      const node: UpstreamNode | null = failed.facts.free
        ? await this.#untried(context)
        : await this.#toRetry(failed, retry++, context);
      if (!node) break;
      try {
        return await this.#attempt(node, context, performance.now());
      } catch (next) {
        failed = next;
      }
    }
    if (context.request.lastResort !== null && isUpstreamFailure(failed) && failed.reason !== 'aborted')
      return context.request.lastResort;
    throw this.#described(failed, context);
  }

  async #untried<T>(context: AttemptContext<T>): Promise<UpstreamNode | null> {
    const now = performance.now();
    return now < context.deadline ? ((await this.#next(context, now)) ?? (await this.#proved(context))) : null;
  }

  async #toRetry<T>(failed: UpstreamFailure, retry: number, context: AttemptContext<T>): Promise<UpstreamNode | null> {
    const delayMs = this.#delayOfRetry(failed, retry, context);
    if (delayMs === null || !this.#retries.take(performance.now())) return null;
    if (delayMs > 0) await pause(delayMs, context.asker?.whenGone);
    const now = performance.now();
    return (
      (await this.#next(context, now)) ??
      (await this.#proved(context)) ??
      chooseNode(this.nodes, context.method, now, NONE, context.floor, context.demand)
    );
  }

  /**
   * Returns the upstream to ask after a failure. If that upstream might lack the minimum head, reads the heads first.
   */
  async #next<T>({ method, tried, floor, demand }: AttemptContext<T>, now: number): Promise<UpstreamNode | null> {
    const node = chooseNode(this.nodes, method, now, tried, floor, demand);
    if (!node || floor === null || node.heads?.isAt(floor) !== false) return node;
    await Promise.all(
      this.nodes.map((each) =>
        tried.includes(each) || !each.admits(method, now) ? undefined : each.heads?.look(floor.commitment),
      ),
    );
    return chooseNode(this.nodes, method, performance.now(), tried, floor, demand);
  }

  /**
   * Returns the delay before another attempt; null if there should be none. The first attempt at another upstream has
   * no delay. Later attempts wait with backoff and jitter, or until the upstream's pause ends.
   */
  #delayOfRetry<T>(
    { reason }: UpstreamFailure,
    retry: number,
    { method, tried, deadline }: AttemptContext<T>,
  ): number | null {
    if (reason === 'aborted' || reason === 'overloaded') return null;
    const now = performance.now();
    const backoffMs = BACKOFF_MS * 2 ** retry * (0.5 + Math.random());
    let delayMs: number;
    if (chooseNode(this.nodes, method, now, tried)) delayMs = retry === 0 ? 0 : backoffMs;
    else if (reason === 'timeout' || reason === 'node-fault' || reason === 'too-large') return null;
    else {
      const restMs = Math.min(...this.#serving().map((node) => node.admitsAt(method))) - now;
      const mayProve = this.nodes.some(({ health }) => health.chain === 'unproved');
      delayMs = restMs > REST_WAITED_MS_MAX && mayProve ? backoffMs : Math.max(backoffMs, restMs);
    }
    return delayMs <= REST_WAITED_MS_MAX && now + delayMs < deadline ? delayMs : null;
  }

  /** Returns the upstreams on the right chain; all upstreams if none is. */
  #serving(): readonly UpstreamNode[] {
    const serving = this.nodes.filter(({ health }) => health.servesChain);
    return serving.length > 0 ? serving : this.nodes;
  }

  #unavailable(restMs: number): UpstreamFailure {
    const retryAfterMs = Math.max(1, Math.ceil(restMs));
    const reasons = this.nodes.map(
      ({ name, health }) => `${this.hasPeers ? `${name}: ` : ''}${health.lastError?.message ?? 'it failed'}`,
    );
    return new UpstreamFailure('unavailable', `${reasons.join('; ')}; the gateway asks again in ${retryAfterMs} ms`, {
      retryAfterMs,
    });
  }

  #described<T>(error: unknown, context: AttemptContext<T>): unknown {
    if (!isUpstreamFailure(error) || ['aborted', 'overloaded', 'busy'].includes(error.reason)) return error;
    return this.hasPeers ? this.#failed(context, error.reason, error.facts.meaning) : error;
  }

  #failed<T>(
    { failures }: AttemptContext<T>,
    reason: UpstreamFailure['reason'],
    meaning?: ErrorMeaning,
  ): UpstreamFailure {
    return new UpstreamFailure(reason, [...new Set(failures)].join('; '), meaning && { meaning });
  }
}

/**
 * Returns the upstream for a hedge: immediately if it has the minimum head, otherwise after a wait. An old answer is
 * better than none.
 */
function whereFarEnough(
  node: UpstreamNode,
  floor: HeadFloor | null,
): UpstreamNode | null | Promise<UpstreamNode | null> {
  if (floor === null || node.heads === null || node.heads.isAt(floor)) return node;
  return node.heads.look(floor.commitment).then(async () => {
    if (node.heads?.isAt(floor) === false) await pause(OLDER_AFTER_MS);
    return node;
  });
}
