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

export interface PoolOptions {
  /** For one request, all attempts together. */
  timeoutMs: number;
  /** For one attempt, where there is another upstream to turn to. */
  attemptTimeoutMs: number;
  retryShare: number;
  hedging: HedgeDelayOptions & { share: number };
}

export interface ReadOptions {
  asker?: Asker | undefined;
  /** Of `performance.now()`. */
  deadline?: number | undefined;
  /** How far the upstream has to be, as long as one is; that of the demand where there is one. */
  floor?: HeadFloor | null;
  demand?: BlockDemand | null;
  /** The upstream that gave the answer of last resort, which is not asked again as long as there is another. */
  after?: UpstreamNode | undefined;
}

const NONE: readonly UpstreamNode[] = [];
const RETRIES_MAX = 3;
const BACKOFF_MS = 50;
/** Longest wait for an upstream that rests, before a call is given up. */
const REST_WAITED_MS_MAX = 2_000;
/** For a read of an upstream that is cut off or fails its checks, where there is no other. */
const LAST_RESORT_MS = 2_000;
/** How long a slow upstream is waited for, before one is asked beside it that is not as far. */
const OLDER_AFTER_MS = 1_000;

/**
 * The upstreams of one network, and the policy of asking them (docs/upstreams.md): reads are tried again and, where
 * there are several upstreams, hedged, each within a budget; what sends goes out once.
 */
export class UpstreamPool {
  /** When it was last asked, of `performance.now()`; null before. */
  usedAt: number | null = null;
  /** When somebody last wanted to know how its upstreams do, of `performance.now()`; null before. */
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

  /** Whether there is another upstream to turn to. */
  get hasPeers(): boolean {
    return this.nodes.length > 1;
  }

  /** The deadline of a request made now. */
  deadline(): number {
    return performance.now() + this.options.timeoutMs;
  }

  /**
   * Asks what changes nothing and may be asked again.
   * @param method by whose record upstreams are judged.
   * @throws UpstreamFailure where no upstream gave a usable answer in time; or whatever else the request threw.
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

  /** Asks one upstream what changes nothing, once. @throws UpstreamFailure */
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
   * Asks what must not be asked twice: another upstream is tried only where no byte has left.
   * @throws UpstreamFailure where there is no answer; the send may have arrived all the same.
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
        throw new UpstreamFailure('timeout', `no time left to send it within ${this.options.timeoutMs} ms`, {
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
        if (!isUpstreamFailure(error) || !error.facts.unsent) throw this.#described(error, context);
      }
    }
  }

  /**
   * Has the upstreams that have not proved their chain do so, all at once, until one of them has: nothing is asked of
   * them before. Tries again as reads do, within the same budget.
   * @returns the one to ask; null where those that have proved their chain are cut off, or were tried.
   * @throws UpstreamFailure where none has proved it.
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

  /** One short attempt at an upstream that is cut off, since there is no other: it may be well again. */
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

  /** The least bad upstream where none may be asked; waits for one that rests for a short time only. */
  async #lastResort<T>(context: AttemptContext<T>): Promise<UpstreamNode> {
    const { method, asker, deadline, tried, failures } = context;
    const now = performance.now();
    const node = chooseLastResort(this.nodes, method, now, tried);
    if (node) return node;
    if (failures.length > 0) throw this.#failed(context, 'connection');
    const restMs = Math.min(...this.nodes.map((each) => each.restsFor(now)));
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
        // One that lags would win with an old answer.
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
        : new UpstreamFailure('not-json', 'its answer could not be read');
      node.failed(record, failure, performance.now());
      failures.push(`${node.name}: ${failure.message}`);
      throw error;
    }
    node.succeeded(record, performance.now() - startedAt, request.isMeasured(answer));
    return answer;
  }

  /**
   * Tries again after a failure, for as long as policy, budget and time allow. Where a node only says that it cannot
   * serve the call, each node that was not asked yet is, whatever the budget.
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

  /** The next upstream that has not been asked; null past the deadline too. */
  async #untried<T>(context: AttemptContext<T>): Promise<UpstreamNode | null> {
    const now = performance.now();
    return now < context.deadline ? ((await this.#next(context, now)) ?? (await this.#proved(context))) : null;
  }

  /** The upstream for a retry, once its time has come; null where there is to be none. */
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

  /** The upstream to ask after one that failed. Those that are not known to be far enough say first how far they are. */
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
   * How long to wait before another attempt: not at all before the first on another upstream; else a backoff with
   * jitter, or until the rest of the last upstream left is over. Null where there is to be no other attempt.
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
    // What took too long, is too much or cannot be served here would be so again.
    else if (reason === 'timeout' || reason === 'node-fault' || reason === 'too-large') return null;
    else delayMs = Math.max(backoffMs, this.#admitsAt(method) - now);
    return delayMs <= REST_WAITED_MS_MAX && now + delayMs < deadline ? delayMs : null;
  }

  #admitsAt(method: string): number {
    return Math.min(...this.nodes.map((node) => node.admitsAt(method)));
  }

  #unavailable(restMs: number): UpstreamFailure {
    const retryAfterMs = Math.max(1, Math.ceil(restMs));
    const reasons = this.nodes.map(
      ({ name, health }) => `${this.hasPeers ? `${name}: ` : ''}${health.lastError?.message ?? 'it failed'}`,
    );
    return new UpstreamFailure('unavailable', `${reasons.join('; ')}; the next attempt is made in ${retryAfterMs} ms`, {
      retryAfterMs,
    });
  }

  #described<T>(error: unknown, context: AttemptContext<T>): unknown {
    if (!isUpstreamFailure(error) || error.reason === 'aborted' || error.reason === 'overloaded') return error;
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
 * An upstream that may be asked beside another: at once where it is far enough, which it is asked where that is not
 * known; else only after a while, when an older answer is better than none.
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
