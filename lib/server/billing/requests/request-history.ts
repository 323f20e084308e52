import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NO_ACCOUNT } from '../../auth/caller';
import { forgetRequests, insertRequests, type RequestRow, trimRequests } from '../../db/requests';
import type { Database } from '../../db/schema';
import type { RequestRecord } from '../../http/request-record';
import type { Metrics } from '../../telemetry/metrics';

/** A killed process loses the requests since its last write. */
const WRITE_INTERVAL_MS = 5_000;
const FORGET_INTERVAL_MS = 3_600_000;
const WAITING_MAX = 5_000;
const ACCOUNT_MAX = 1_000;
/** After this number of an account's requests in one interval, only failed ones are recorded. */
const ACCOUNT_SUCCEEDED_MAX = 800;
/** Rows per transaction. On SQLite, a transaction of 50 rows blocks this thread for about 1 ms. */
const ROWS = 50;
/** Pause between two transactions of a regular write. */
const PAUSE_MS = 20;
/**
 * Probability that writing a request also trims its account's log. On average, a log exceeds its maximum by about 1,000
 * requests.
 */
const TRIM_CHANCE = 0.001;
const STOP_MS = 5_000;

interface RequestHistoryConfig {
  /** Number of days for which requests are kept; 0 keeps none. */
  days: number;
  /** Maximum number of requests kept per account; successful and failed ones are counted separately. */
  perAccountMax: number;
}

export interface RequestHistorySettings {
  db: Database;
  config: RequestHistoryConfig;
  isFull: () => boolean;
  now: () => number;
  log: Logger;
  random?: () => number;
}

/**
 * Records the requests of each account, including refused and failed ones. Gathers them in memory and writes them every
 * 5 seconds. If too many wait, drops further requests and counts them. Records no bodies, prompts or addresses.
 */
export class RequestHistory {
  #waiting: RequestRow[] = [];
  readonly #taken = new Map<number, number>();
  readonly #stopping = new AbortController();
  #timers: NodeJS.Timeout[] = [];
  #writing: Promise<void> | null = null;
  #forgetting: Promise<void> | null = null;
  #isFailing = false;
  readonly #totals = { written: 0, dropped: 0 };

  constructor(private readonly settings: RequestHistorySettings) {}

  /** Request counts: written and dropped since the start, and now waiting in memory. */
  get figures(): { written: number; dropped: number; waiting: number } {
    return { ...this.#totals, waiting: this.#waiting.length };
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.write(PAUSE_MS), WRITE_INTERVAL_MS),
      setInterval(() => void this.forget(), FORGET_INTERVAL_MS),
    ];
    for (const timer of this.#timers) timer.unref();
    void this.forget();
  }

  /** Writes the waiting requests. Gives up if the store needs more than 5 seconds. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort();
    // Writes twice, because a write already running does not include the requests that arrived after its start.
    const ending = Promise.all([this.write().then(() => this.write()), this.#forgetting]);
    await Promise.race([ending, sleep(STOP_MS, undefined, { ref: false })]);
  }

  /** Records an answered request if its account is known. Runs in every call. */
  note(product: Sold, record: RequestRecord, requestId: string): void {
    const { accountId, status } = record;
    if (accountId === null || accountId === NO_ACCOUNT || this.settings.config.days === 0) return;
    const isFailed = status >= 400 || record.isCut;
    const taken = this.#taken.get(accountId) ?? 0;
    if (this.#waiting.length >= WAITING_MAX || taken >= (isFailed ? ACCOUNT_MAX : ACCOUNT_SUCCEEDED_MAX)) {
      this.#totals.dropped++;
      return;
    }
    this.#taken.set(accountId, taken + 1);
    this.#waiting.push({
      account_id: accountId,
      api_key_id: record.apiKeyId,
      at: this.settings.now(),
      product,
      network: record.network,
      method: record.method,
      model: record.model,
      status,
      code: record.code,
      failed: isFailed ? 1 : 0,
      duration_us: Math.round((record.endedAt - record.startedAt) * 1_000),
      units: record.units,
      cost: record.costNanoUsd,
      request_id: requestId,
    });
  }

  /** Writes the waiting requests. If the store fails, they stay for the next write. */
  write(pauseMs = 0): Promise<void> {
    this.#writing ??= this.#write(pauseMs)
      .then(() => (this.#isFailing = false))
      .catch((error: unknown) => {
        if (!this.#isFailing) this.settings.log.warn({ err: error }, 'writing the request log failed');
        this.#isFailing = true;
      })
      .then(() => {
        this.#writing = null;
      });
    return this.#writing;
  }

  forget(): Promise<void> {
    const { db, config, now, log } = this.settings;
    this.#forgetting ??= forgetRequests(db, now() - config.days * DAY_MS, this.#stopping.signal)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) log.warn({ err: error }, 'deleting old requests failed');
      })
      .finally(() => (this.#forgetting = null));
    return this.#forgetting;
  }

  async #write(pauseMs: number): Promise<void> {
    this.#taken.clear();
    if (this.settings.isFull()) return;
    for (let left = this.#waiting.length; left > 0; left -= ROWS) {
      const rows = this.#waiting.slice(0, Math.min(ROWS, left));
      await insertRequests(this.settings.db, rows);
      this.#waiting.splice(0, rows.length);
      this.#totals.written += rows.length;
      await this.#trim(rows);
      await (this.#stopping.signal.aborted ? turn() : sleep(pauseMs));
    }
  }

  /** Trims at random writes, because processes share no counter. */
  async #trim(rows: readonly RequestRow[]): Promise<void> {
    const { db, config, random = Math.random } = this.settings;
    const grown = new Set(rows.filter(() => random() < TRIM_CHANCE).map(({ account_id: id }) => id));
    for (const accountId of grown) await trimRequests(db, accountId, config.perAccountMax);
  }
}

export function measureHistory(metrics: Metrics, history: Pick<RequestHistory, 'figures'>): void {
  metrics.counter(
    {
      name: 'turnpike_request_history_total',
      help: 'Requests for the log of each account: written, or dropped for lack of room in memory.',
      labels: ['outcome'],
    },
    (say) => {
      const { written, dropped } = history.figures;
      say({ outcome: 'written' }, written);
      say({ outcome: 'dropped' }, dropped);
    },
  );
  metrics.gauge(
    {
      name: 'turnpike_request_history_waiting',
      help: 'Requests in memory that are not yet in the log of their account.',
      labels: [],
    },
    (say) => say({}, history.figures.waiting),
  );
}
