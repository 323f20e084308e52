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

/** What `PaymentRuns` needs beside the rails. */
export interface PaymentRunsOptions {
  db: Database;
  log: Logger;
  /** Whether no other process works on this store: what an earlier one held is free then. */
  exclusive: boolean;
  /** Names this process among those of one store. */
  owner: string;
  resumeIntervalMs: number;
  now: () => number;
  /** Makes a rail's chain ready for a payment; a sandbox funds its own keys so. */
  prepare?: (rail: Rail['terms']) => Promise<void>;
}

const LEASE_MS = 60_000;
const DUE_MAX = 200;
const RESUMED_AT_ONCE = 4;
/** Whoever presents a payment hears how it is by now, at most so often. */
const PRESENTED_LOOK_MS = 1_000;

/**
 * Takes recorded payments to their end, each by one process at a time and at its own pace: what was left under way is
 * taken up at the start and periodically, by this process or the next.
 */
export class PaymentRuns {
  readonly #running = new Map<string, Promise<void>>();
  readonly #preparing = new Map<Rail, Promise<void>>();
  /** When this process last looked for an open payment, in milliseconds of `performance.now()`. */
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

  /** Takes up what was left under way, now and periodically. */
  async start(): Promise<void> {
    const { db, exclusive, resumeIntervalMs } = this.options;
    if (exclusive) await freeLeases(db, this.options.now());
    await this.#warnOfStranded();
    void this.resume();
    this.#timer = setInterval(() => void this.resume(), resumeIntervalMs);
    this.#timer.unref();
  }

  /** What is open by a rail that is configured no more is left alone and counts against no limit, but nobody must forget it. */
  async #warnOfStranded(): Promise<void> {
    for (const { network, asset, payments, amount } of await openByRoute(this.options.db)) {
      if (this.rails.find(network, asset)) continue;
      this.options.log.warn(
        { network, asset, payments },
        `${payments} open payments, ${formatUsd(amount, 6)} USD in all, are in ${asset} on ${network}, for which no rail is configured: what of them came in is not credited until it is again (npm run admin -- payments list --state open)`,
      );
    }
  }

  /** Lets what is under way come to an end, for a while: the rest is taken up at the next start. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#sooner) clearTimeout(this.#sooner);
    const ended = Promise.allSettled([this.#resuming, ...this.#running.values()]);
    await Promise.race([ended, sleep(withinMs, undefined, { ref: false })]);
  }

  /** Takes up every open payment that is due. Never throws. */
  resume(): Promise<void> {
    this.#resuming ??= this.#resumeDue()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'open payments could not be taken up'))
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

  /** Does the next step for a payment; whoever asks while one is under way waits for that. Never throws. */
  advance(id: string): Promise<void> {
    let run = this.#running.get(id);
    if (!run) {
      run = this.#step(id)
        .catch((error: unknown) =>
          this.options.log.warn(
            { err: error, paymentId: id },
            'a payment could not be taken further; it will be tried again',
          ),
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

  /** Takes up what is due before the next time that it is done anyway. */
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
      const note = `This gateway no longer takes ${payment.asset} on ${payment.network}, so it does not look for this payment. If it was executed, it is credited once the operator configures that again: tell him its paymentId.`;
      await notePayment(this.options.db, payment.id, { waits_for: note });
      return { outcome: 'possible', note };
    }
    await this.prepare(rail);
    return this.#work.take(payment, rail);
  }

  /** Whether to take a payment further now: where that is under way, at the payment's own pace, and once soon after it was presented. */
  isDue({ id, next_look_at }: Payment, presentedAgain: boolean): boolean {
    if (this.#running.has(id)) return true;
    if (next_look_at <= this.options.now()) return true;
    const lookedAt = this.#lookedAt.get(id);
    return presentedAgain && (lookedAt === undefined || performance.now() - lookedAt >= PRESENTED_LOOK_MS);
  }

  /** Makes a rail's chain ready; payments that come at the same time share that. @throws ChainUnreachable */
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
