import { apiError } from '@/lib/protocol/errors';

/** What a caller has shown, best first: it has put in money; it has an account; it is a wallet as anyone makes one up. */
const STANDINGS = ['paying', 'known', 'stranger'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Questions that wait for one model, and of these for one caller. */
const WAITING_MAX = 32;
const WAITING_OF_CALLER_MAX = 4;
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;
/** Strangers' questions at a time, of all models together; of one model one. */
const STRANGERS_AT_A_TIME = 2;
/**
 * Between the starts of two strangers' questions: several times what checking a report takes of the one thread, and
 * longer where the last one took longer, as on a machine that is busy.
 */
const STRANGERS_REST_MS = { least: 250, most: 2_000, timesTheLast: 9 };

/** A question to the enclaves of a model. */
export interface EnclaveQuestion {
  /** Reports of a model have turns of their own, and its signatures have. */
  lane: string;
  /** What is asked: the same question of several callers at once is asked once. */
  key: string;
  caller: number | string;
  standing: Standing;
}

interface Job {
  lane: Lane;
  caller: number | string;
  standing: Standing;
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
 * Bounds the questions to enclaves that are under way, since nobody pays for them. Of those that wait, callers with the
 * best standing go first, and among these the one with the fewest under way. A question that finds no room displaces the
 * last one of a lesser standing, or is refused.
 */
export class AttestationTurns {
  readonly #lanes = new Map<string, Lane>();
  readonly #jobs = new Map<string, Job>();
  #strangers = 0;
  #strangersRestUntilMs = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param atATime questions of one lane; one of them is left to paying callers, where there are several */
  constructor(private readonly atATime: number) {}

  /**
   * Resolves with what the question comes to, when it has had its turn.
   * @param admit throws to refuse the caller; not called where the same question is under way
   * @throws ApiError ATTESTATION_BUSY
   */
  ask<Answer>(question: EnclaveQuestion, admit: () => void, work: () => Promise<Answer>): Promise<Answer> {
    const key = `${question.lane}\n${question.key}`;
    const same = this.#jobs.get(key);
    if (same) {
      if (isBetter(question.standing, same.standing) && !same.isRunning) same.standing = question.standing;
      this.#fill(same.lane);
      return same.answer as Promise<Answer>;
    }
    const lane = this.#lanes.get(question.lane) ?? { name: question.lane, waiting: [], running: [] };
    const displaced = this.#roomIn(lane, question);
    admit();
    displaced?.refuse();
    this.#lanes.set(lane.name, lane);
    return this.#enqueue(lane, key, question, work);
  }

  #enqueue<Answer>(
    lane: Lane,
    key: string,
    { caller, standing }: EnclaveQuestion,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    let settle: (answer: Promise<Answer>) => void;
    const answer = new Promise<Answer>((resolve) => {
      settle = resolve;
    });
    const job: Job = {
      lane,
      caller,
      standing,
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

  /** @returns how it leaves */
  #enter(job: Job): () => void {
    job.isRunning = true;
    remove(job.lane.waiting, job);
    job.lane.running.push(job);
    if (job.standing !== 'stranger') return () => undefined;
    this.#strangers++;
    const startedAt = performance.now();
    const { least, most, timesTheLast } = STRANGERS_REST_MS;
    const rest = (untilMs: number): void => {
      this.#strangersRestUntilMs = Math.max(this.#strangersRestUntilMs, untilMs);
    };
    rest(startedAt + least);
    return () => {
      this.#strangers--;
      rest(startedAt + Math.min(most, timesTheLast * (performance.now() - startedAt)));
    };
  }

  /** @returns the job that has to go for this question; null where there is room. */
  #roomIn({ waiting }: Lane, { caller, standing }: EnclaveQuestion): Job | null {
    if (waiting.filter((job) => job.caller === caller).length >= WAITING_OF_CALLER_MAX) throw busy();
    if (waiting.length < WAITING_MAX) return null;
    const displaced = waiting.findLast((job) => isBetter(standing, job.standing));
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
      .filter(({ standing }) => this.#mayStart(standing, running))
      .sort(
        (one, other) =>
          STANDINGS.indexOf(one.standing) - STANDINGS.indexOf(other.standing) ||
          underWay(one.caller) - underWay(other.caller),
      );
    return best ?? null;
  }

  #mayStart(standing: Standing, running: readonly Job[]): boolean {
    if (standing === 'paying') return true;
    if (running.length >= Math.max(1, this.atATime - 1)) return false;
    if (standing === 'known') return true;
    if (this.#strangers >= STRANGERS_AT_A_TIME || running.some((job) => job.standing === 'stranger')) return false;
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

function isBetter(one: Standing, other: Standing): boolean {
  return STANDINGS.indexOf(one) < STANDINGS.indexOf(other);
}

function remove(jobs: Job[], job: Job): void {
  const at = jobs.indexOf(job);
  if (at >= 0) jobs.splice(at, 1);
}

function busy(): Error {
  const customMessage = 'As many attestations or signatures of this model are under way, or wait, as may be.';
  return apiError('ATTESTATION_BUSY', { fields: { customMessage }, headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
