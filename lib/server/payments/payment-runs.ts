import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { formatUsd } from '@/lib/protocol/pricing';
import {
  duePayments,
  freeLeases,
  leasePayment,
  leavePayment,
  notePayment,
  openByRoute,
  type Payment,
} from '../db/payments';
import type { Database } from '../db/schema';
import { lookAgainAfterMs } from './payment-pace';
import { isOpen, PaymentWork } from './payment-work';
import { ChainUnreachable, type Possible, type Rail } from './rail';
import type { RailList } from './rail-list';

export interface PaymentRunsOptions {
  db: Database;
  log: Logger;
  /** True if no other process uses this store. If so, the leases of earlier processes are freed. */
  exclusive: boolean;
  owner: string;
  resumeIntervalMs: number;
  now: () => number;
  /** Prepares a rail's chain. In the sandbox, this funds the keys that submit payments. */
  prepare?: (rail: Rail['terms']) => Promise<void>;
}

const LEASE_MS = 60_000;
const DUE_MAX = 200;
const RESUMED_AT_ONCE = 4;
/** Minimum time between two lookups of a payment that a caller presents again and again. */
const PRESENTED_LOOK_MS = 1_000;

/**
 * Advances each recorded payment until it is credited or has failed. Only one process at a time works on a payment.
 * Resumes open payments at the start, then periodically.
 */
export class PaymentRuns {
  readonly #running = new Map<string, Promise<void>>();
  readonly #preparing = new Map<Rail, Promise<void>>();
  readonly #lookedAt = new Map<string, number>();
  readonly #work: PaymentWork;
  #timer: NodeJS.Timeout | null = null;
  #sooner: NodeJS.Timeout | null = null;
  #resuming: Promise<void> | null = null;
  #isClosed = false;

  constructor(
    private readonly rails: RailList,
    private readonly options: PaymentRunsOptions,
  ) {
    this.#work = new PaymentWork({ db: options.db, log: options.log, now: options.now });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async start(): Promise<void> {
    const { db, exclusive, resumeIntervalMs } = this.options;
    if (exclusive) await freeLeases(db, this.options.now());
    await this.#warnOfStranded();
    void this.resume();
    this.#timer = setInterval(() => void this.resume(), resumeIntervalMs);
    this.#timer.unref();
  }

  /** Logs open payments whose rail is not configured. Such payments are not looked up and count towards no limit. */
  async #warnOfStranded(): Promise<void> {
    for (const { network, asset, payments, amount } of await openByRoute(this.options.db)) {
      if (this.rails.find(network, asset)) continue;
      this.options.log.warn(
        { network, asset, payments, amountUsd: formatUsd(amount, 6) },
        'pending payments were skipped because their rail is no longer configured; see npm run admin -- payments list --state open',
      );
    }
  }

  /** Waits up to `withinMs` for running steps. After the next start, the gateway resumes open payments. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#sooner) clearTimeout(this.#sooner);
    const ended = Promise.allSettled([this.#resuming, ...this.#running.values()]);
    await Promise.race([ended, sleep(withinMs, undefined, { ref: false })]);
  }

  /** Resumes payments whose next lookup is due. Never throws. */
  resume(): Promise<void> {
    this.#resuming ??= this.#resumeDue()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'resuming pending payments failed'))
      .finally(() => {
        this.#resuming = null;
      });
    return this.#resuming;
  }

  async #resumeDue(): Promise<void> {
    const ids = await duePayments(this.options.db, this.rails.terms, DUE_MAX, this.options.now());
    const worker = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined && !this.#isClosed; id = ids.shift()) await this.advance(id);
    };
    await Promise.all(Array.from({ length: RESUMED_AT_ONCE }, worker));
  }

  /** Takes the next step of a payment. Concurrent callers share one step. Never throws. */
  advance(id: string): Promise<void> {
    let run = this.#running.get(id);
    if (!run) {
      run = this.#step(id)
        .catch((error: unknown) =>
          this.options.log.warn({ err: error, paymentId: id }, 'processing a payment failed and will be retried'),
        )
        .finally(() => this.#running.delete(id));
      this.#running.set(id, run);
    }
    return run;
  }

  async #step(id: string): Promise<void> {
    const { db } = this.options;
    const payment = await leasePayment(db, id, this.options.owner, LEASE_MS, this.options.now());
    if (!payment) return void this.#lookedAt.delete(id);
    let left: Possible | null = null;
    try {
      if (isOpen(payment)) left = await this.#take(payment);
      if (left) this.#lookedAt.set(id, performance.now());
      else this.#lookedAt.delete(id);
    } finally {
      await leavePayment(
        db,
        id,
        this.options.owner,
        this.options.now() + (left?.lookAgainInMs ?? lookAgainAfterMs(payment, this.options.now())),
      );
      if (left?.lookAgainInMs !== undefined) this.#resumeIn(left.lookAgainInMs);
    }
  }

  #resumeIn(ms: number): void {
    if (this.#sooner || this.#isClosed || !this.#timer || ms >= this.options.resumeIntervalMs) return;
    this.#sooner = setTimeout(() => {
      this.#sooner = null;
      void this.resume();
    }, ms);
    this.#sooner.unref();
  }

  async #take(payment: Payment): Promise<Possible | null> {
    const rail = this.rails.find(payment.network, payment.asset);
    if (!rail) {
      const note = `This gateway no longer accepts ${payment.asset} on ${payment.network}, so it does not look for this payment. An executed payment is credited when the operator configures the token again: send the paymentId to the operator.`;
      await notePayment(this.options.db, payment.id, { waits_for: note });
      return { outcome: 'possible', note };
    }
    await this.prepare(rail);
    return this.#work.take(payment, rail);
  }

  /**
   * Returns whether the next lookup of a payment is due. If a caller presents the payment again, the lookup is due
   * `PRESENTED_LOOK_MS` after the last lookup.
   */
  isDue({ id, next_look_at }: Payment, presentedAgain: boolean): boolean {
    if (this.#running.has(id)) return true;
    if (next_look_at <= this.options.now()) return true;
    const lookedAt = this.#lookedAt.get(id);
    return presentedAgain && (lookedAt === undefined || performance.now() - lookedAt >= PRESENTED_LOOK_MS);
  }

  /**
   * Prepares a rail's chain before payments use it. Concurrent payments share the work.
   * @throws ChainUnreachable
   */
  prepare(rail: Rail): Promise<void> {
    const { prepare } = this.options;
    if (!prepare) return Promise.resolve();
    let prepared = this.#preparing.get(rail);
    if (!prepared) {
      prepared = prepare(rail.terms)
        .catch((cause: unknown) => {
          throw new ChainUnreachable('The chain could not be made ready.', { cause });
        })
        .finally(() => this.#preparing.delete(rail));
      this.#preparing.set(rail, prepared);
    }
    return prepared;
  }
}
