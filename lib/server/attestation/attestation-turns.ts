import { apiError } from '@/lib/protocol/errors';

/**
 * Priorities of callers, highest first: callers that have paid, other callers with an account, and wallets without an
 * account, which cost nothing to create.
 */
const PRIORITIES = ['paying', 'known', 'stranger'] as const;
export type CallerPriority = (typeof PRIORITIES)[number];

const WAITING_MAX = 32;
const WAITING_OF_CALLER_MAX = 4;
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;
/**
 * Maximum number of running requests from callers without an account, across all models. Each queue runs at most one
 * such request.
 */
const STRANGERS_AT_A_TIME = 2;
/**
 * Slows callers without an account, because verification blocks the gateway's only thread. The pause after a request
 * grows with the request's duration.
 */
const STRANGERS_REST = { betweenStartsMs: 250, pauseMaxMs: 2_000, pausePerDuration: 8 };

export interface EnclaveRequest {
  /** Name of the request's queue. Each model has a queue for reports and a queue for signatures. */
  lane: string;
  /** Identity of the request. Concurrent requests with the same key share one answer. */
  key: string;
  caller: number | string;
  priority: CallerPriority;
}

interface Job {
  lane: Lane;
  caller: number | string;
  priority: CallerPriority;
  isRunning: boolean;
  start(): void;
  refuse(): void;
  answer: Promise<unknown>;
}

interface Lane {
  name: string;
  waiting: Job[];
  running: Job[];
}

/**
 * Limits concurrent requests to enclaves, because these requests are free. The highest priority goes first, then the
 * caller with the fewest running requests. If the queue is full, a request displaces the last request of a lower
 * priority, or is refused.
 */
export class AttestationTurns {
  readonly #lanes = new Map<string, Lane>();
  readonly #jobs = new Map<string, Job>();
  #strangers = 0;
  #strangersRestUntilMs = 0;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param atATime maximum number of running requests per queue; if above 1, one slot is reserved for paying callers
   */
  constructor(private readonly atATime: number) {}

  /**
   * Runs a request when its turn comes.
   * @param admit throws to refuse the caller; not called if a request with the same key is already running or waiting
   * @throws ApiError ATTESTATION_BUSY
   */
  ask<Answer>(request: EnclaveRequest, admit: () => void, work: () => Promise<Answer>): Promise<Answer> {
    const key = `${request.lane}\n${request.key}`;
    const same = this.#jobs.get(key);
    if (same) {
      if (isBetter(request.priority, same.priority) && !same.isRunning) same.priority = request.priority;
      this.#fill(same.lane);
      return same.answer as Promise<Answer>;
    }
    const lane = this.#lanes.get(request.lane) ?? { name: request.lane, waiting: [], running: [] };
    const displaced = this.#roomIn(lane, request);
    admit();
    displaced?.refuse();
    this.#lanes.set(lane.name, lane);
    return this.#enqueue(lane, key, request, work);
  }

  #enqueue<Answer>(
    lane: Lane,
    key: string,
    { caller, priority }: EnclaveRequest,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    let settle: (answer: Promise<Answer>) => void;
    const answer = new Promise<Answer>((resolve) => {
      settle = resolve;
    });
    const job: Job = {
      lane,
      caller,
      priority,
      isRunning: false,
      answer,
      start: () => {
        clearTimeout(timer);
        const leave = this.#enter(job);
        const working = work();
        settle(working);
        const end = (): void => {
          leave();
          this.#end(key, job);
          this.#fillAll();
        };
        working.then(end, end);
      },
      refuse: () => {
        clearTimeout(timer);
        this.#end(key, job);
        settle(Promise.reject(busy()));
      },
    };
    const timer = setTimeout(job.refuse, WAIT_MS);
    lane.waiting.push(job);
    this.#jobs.set(key, job);
    this.#fill(lane);
    return answer;
  }

  #end(key: string, job: Job): void {
    const { lane } = job;
    this.#jobs.delete(key);
    remove(lane.waiting, job);
    remove(lane.running, job);
    if (lane.waiting.length + lane.running.length === 0) this.#lanes.delete(lane.name);
  }

  #enter(job: Job): () => void {
    job.isRunning = true;
    remove(job.lane.waiting, job);
    job.lane.running.push(job);
    if (job.priority !== 'stranger') return () => undefined;
    this.#strangers++;
    const startedAt = performance.now();
    const { betweenStartsMs, pauseMaxMs, pausePerDuration } = STRANGERS_REST;
    const rest = (untilMs: number): void => {
      this.#strangersRestUntilMs = Math.max(this.#strangersRestUntilMs, untilMs);
    };
    rest(startedAt + betweenStartsMs);
    return () => {
      this.#strangers--;
      const endedAt = performance.now();
      rest(endedAt + Math.min(pauseMaxMs, pausePerDuration * (endedAt - startedAt)));
    };
  }

  /** @returns job that this request displaces; null if the queue has room */
  #roomIn({ waiting }: Lane, { caller, priority }: EnclaveRequest): Job | null {
    if (waiting.filter((job) => job.caller === caller).length >= WAITING_OF_CALLER_MAX) throw busy();
    if (waiting.length < WAITING_MAX) return null;
    const displaced = waiting.findLast((job) => isBetter(priority, job.priority));
    if (!displaced) throw busy();
    return displaced;
  }

  #fillAll(): void {
    for (const lane of this.#lanes.values()) this.#fill(lane);
  }

  #fill(lane: Lane): void {
    for (let job = this.#next(lane); job; job = this.#next(lane)) job.start();
  }

  #next({ waiting, running }: Lane): Job | null {
    if (running.length >= this.atATime) return null;
    const underWay = (caller: number | string): number => running.filter((job) => job.caller === caller).length;
    const [best] = waiting
      .filter(({ priority }) => this.#mayStart(priority, running))
      .sort(
        (one, other) =>
          PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority) ||
          underWay(one.caller) - underWay(other.caller),
      );
    return best ?? null;
  }

  #mayStart(priority: CallerPriority, running: readonly Job[]): boolean {
    if (priority === 'paying') return true;
    if (running.length >= Math.max(1, this.atATime - 1)) return false;
    if (priority === 'known') return true;
    if (this.#strangers >= STRANGERS_AT_A_TIME || running.some((job) => job.priority === 'stranger')) return false;
    const restMs = this.#strangersRestUntilMs - performance.now();
    if (restMs > 0) this.#fillAfter(restMs);
    return restMs <= 0;
  }

  #fillAfter(restMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#fillAll();
    }, Math.ceil(restMs));
  }
}

function isBetter(one: CallerPriority, other: CallerPriority): boolean {
  return PRIORITIES.indexOf(one) < PRIORITIES.indexOf(other);
}

function remove(jobs: Job[], job: Job): void {
  const at = jobs.indexOf(job);
  if (at >= 0) jobs.splice(at, 1);
}

function busy(): Error {
  const customMessage = 'Too many attestation or signature requests for this model are running or waiting.';
  return apiError('ATTESTATION_BUSY', { fields: { customMessage }, headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
