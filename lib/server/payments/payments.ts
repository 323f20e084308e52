import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { formatUsd } from '@/lib/protocol/pricing';
import { InvalidPayment, readPresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { CreditRefused } from '../store/credits';
import {
  creditPayment,
  duePayments,
  failPayment,
  findPayment,
  freeLeases,
  leasePayment,
  leavePayment,
  markSubmitted,
  notePayment,
  type Payment,
  readPayment,
  recordPayment,
} from '../store/payments';
import type { Database } from '../store/schema';
import { ChainUnreachable, type Finding, type Rail, type ReadPayment, type VerifiedAt } from './rail';
import type { RailList } from './rail-list';
import { nanoUsdOf } from './token-amount';

/** What `Payments` needs beside its rails. */
export interface PaymentsOptions {
  db: Database;
  log: Logger;
  /** Whether no other process works on this store: what an earlier one held is free then. */
  exclusive: boolean;
  /** Names this process among those of one store. */
  owner?: string;
  resumeIntervalMs: number;
  /** How long whoever pays is kept waiting for the outcome. */
  answerWithinMs?: number;
  /** How long closing waits for what is under way. */
  closeWithinMs?: number;
  now?: () => number;
  /** Makes a rail's chain ready for a payment; a sandbox funds its own keys so. */
  prepare?: (rail: Rail['terms']) => Promise<void>;
}

const LEASE_MS = 60_000;
const CLOSE_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 25_000;
const WAIT_POLL_MS = 100;
const DUE_MAX = 200;
const RESUMED_AT_ONCE = 4;
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 60_000;
/** Between two submissions of a payment that the chain has not executed. */
const RESUBMIT_AFTER_LOOKS = 3;

/**
 * Takes payments to their end: verify, record, submit, and in one transaction mark as settled and credit.
 *
 * What it guarantees: a payment is credited once, with what came in on chain, and only after our own node says that it
 * came in; whatever is recorded is looked up again, by this process or the next, until the money is credited or can no
 * longer move. A facilitator's word is never proof. A payment that is presented again gets the answer that it had.
 */
export class Payments {
  readonly #running = new Map<string, Promise<void>>();
  readonly #preparing = new Map<Rail, Promise<void>>();
  readonly #owner: string;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | null = null;
  #resuming: Promise<void> | null = null;
  #closed = false;

  constructor(
    readonly rails: RailList,
    private readonly options: PaymentsOptions,
  ) {
    this.#owner = options.owner ?? randomUUID();
    this.#now = options.now ?? Date.now;
  }

  /** Takes up what was left under way, now and periodically. */
  async start(): Promise<void> {
    const { db, exclusive, resumeIntervalMs } = this.options;
    if (exclusive) await freeLeases(db, this.#now());
    void this.resume();
    this.#timer = setInterval(() => void this.resume(), resumeIntervalMs);
    this.#timer.unref();
  }

  /** Lets what is under way come to an end, for a while: the rest is taken up at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    const ended = Promise.allSettled([this.#resuming, ...this.#running.values()]);
    await Promise.race([ended, sleep(this.options.closeWithinMs ?? CLOSE_WITHIN_MS, undefined, { ref: false })]);
    for (const rail of this.rails.all) rail.close?.();
  }

  /**
   * Takes the payment of a header and follows it to its end, or for as long as whoever pays is kept waiting.
   * @returns the payment in the state that it has reached: credited, failed, or still open.
   * @throws InvalidPayment, or ChainUnreachable before anything was submitted
   */
  async receive(header: string): Promise<Payment> {
    const presented = readPresentedPayment(header);
    const rail = this.rails.railOf(presented);
    const read = rail.read(presented);
    const known = await findPayment(this.options.db, read.identity);
    return this.#conclude(known ?? (await this.#record(rail, read)));
  }

  /** Works on a payment until it has ended, this process has done what it can for now, or the time is over. */
  async #conclude(payment: Payment): Promise<Payment> {
    const { db, answerWithinMs = ANSWER_WITHIN_MS } = this.options;
    const deadline = performance.now() + answerWithinMs;
    let current = payment;
    for (let wait = WAIT_POLL_MS; isOpen(current) && performance.now() < deadline && !this.#closed; wait = Math.min(wait * 2, 1_000)) {
      await Promise.race([this.advance(current.id), sleep(Math.max(1, deadline - performance.now()), undefined, { ref: false })]);
      current = await readPayment(db, current.id);
      if (isOpen(current)) await sleep(wait);
    }
    return current;
  }

  async #record(rail: Rail, read: ReadPayment): Promise<Payment> {
    const amount = this.#amountOf(rail, read);
    await this.#prepare(rail);
    const verifiedAt = await this.#verify(rail, read);
    const { terms } = rail;
    return recordPayment(
      this.options.db,
      {
        identity: read.identity,
        network: terms.network,
        asset: terms.asset,
        payer: read.payer,
        pay_to: terms.payTo,
        amount_units: read.amountUnits.toString(),
        amount,
        content: JSON.stringify(read.content),
        from_height: verifiedAt.fromHeight,
        expires_at: read.expiresAt,
        expires_height: verifiedAt.expiresHeight,
      },
      this.#now(),
    );
  }

  #amountOf(rail: Rail, { amountUnits }: ReadPayment): number {
    let amount: number;
    try {
      amount = nanoUsdOf(amountUnits, rail.terms.decimals);
    } catch (error) {
      throw new InvalidPayment('amount_too_large', (error as Error).message);
    }
    if (amount < this.rails.minimumNanoUsd) {
      throw new InvalidPayment('amount_too_small', `The payment is over ${formatUsd(amount, 6)} USD; the least is ${this.rails.minimumTopUpUsd} USD.`);
    }
    return amount;
  }

  /** A payment that no longer verifies may have been executed by somebody else: then the money is there. */
  async #verify(rail: Rail, read: ReadPayment): Promise<VerifiedAt> {
    try {
      return await rail.verify(read);
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error;
      const verifiedAt = await rail.searchFrom(read).catch(() => null);
      if (verifiedAt && (await this.#wasPaid(rail, read, verifiedAt))) return verifiedAt;
      throw error;
    }
  }

  async #wasPaid(rail: Rail, read: ReadPayment, verifiedAt: VerifiedAt): Promise<boolean> {
    const asRecorded = { content: JSON.stringify(read.content), amount_units: read.amountUnits.toString(), payer: read.payer, transaction_id: null };
    const imagined = { ...asRecorded, from_height: verifiedAt.fromHeight, expires_at: read.expiresAt, expires_height: verifiedAt.expiresHeight };
    const finding = await rail.look(imagined as Payment).catch(() => null);
    return finding?.outcome === 'paid' && finding.amountUnits === read.amountUnits;
  }

  /** Payments that come at the same time share one. */
  #prepare(rail: Rail): Promise<void> {
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
    const ids = await duePayments(this.options.db, DUE_MAX, this.#now());
    const worker = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined && !this.#closed; id = ids.shift()) await this.advance(id);
    };
    await Promise.all(Array.from({ length: RESUMED_AT_ONCE }, worker));
  }

  /** Does the next step for a payment; whoever asks while one is under way waits for that. Never throws. */
  advance(id: string): Promise<void> {
    let run = this.#running.get(id);
    if (!run) {
      run = this.#step(id)
        .catch((error: unknown) => this.options.log.warn({ err: error, paymentId: id }, 'a payment could not be taken further; it will be tried again'))
        .finally(() => this.#running.delete(id));
      this.#running.set(id, run);
    }
    return run;
  }

  async #step(id: string): Promise<void> {
    const { db } = this.options;
    const payment = await leasePayment(db, id, this.#owner, LEASE_MS, this.#now());
    if (!payment) return;
    try {
      if (isOpen(payment)) await this.#work(payment);
    } finally {
      await leavePayment(db, id, this.#owner, this.#now() + Math.min(BACKOFF_MS * 2 ** Math.min(payment.looks, 10), BACKOFF_MS_MAX));
    }
  }

  async #work(payment: Payment): Promise<void> {
    const { db } = this.options;
    const rail = this.rails.find(payment.network, payment.asset);
    if (!rail) return notePayment(db, payment.id, { error: `No rail for ${payment.asset} on ${payment.network} is configured any more.` });
    await this.#prepare(rail);
    // Somebody else may have submitted it; and an earlier attempt may have succeeded unheard.
    const before = await rail.look(payment);
    if (before.outcome !== 'possible') return this.#end(payment, rail, before);
    if (payment.state === 'submitted' && payment.looks % RESUBMIT_AFTER_LOOKS !== 0) return;
    const error = await this.#submit(payment, rail);
    const after = await rail.look(await readPayment(db, payment.id));
    if (after.outcome === 'possible') return notePayment(db, payment.id, { error: error ?? after.note });
    return this.#end(payment, rail, after);
  }

  /** @returns what was said to be wrong, which proves nothing. */
  async #submit(payment: Payment, rail: Rail): Promise<string | null> {
    const { db, log } = this.options;
    await markSubmitted(db, payment.id, this.#now());
    try {
      const error = await rail.settle(payment, { onTransaction: (transactionId) => notePayment(db, payment.id, { transaction_id: transactionId }) });
      if (error) log.warn({ paymentId: payment.id, network: payment.network }, `a payment was not settled: ${error}`);
      return error;
    } catch (error) {
      log.warn({ err: error, paymentId: payment.id, network: payment.network }, 'a payment could not be submitted');
      return error instanceof Error ? error.message.slice(0, 500) : 'It could not be submitted.';
    }
  }

  async #end(payment: Payment, rail: Rail, finding: Exclude<Finding, { outcome: 'possible' }>): Promise<void> {
    const { db, log } = this.options;
    const about = { paymentId: payment.id, network: payment.network, payer: payment.payer };
    if (finding.outcome === 'impossible') {
      await failPayment(db, payment.id, finding.reason, this.#now());
      log.info(about, `a payment failed: ${finding.reason}`);
      return;
    }
    const amount = nanoUsdOf(finding.amountUnits, rail.terms.decimals);
    try {
      await creditPayment(db, payment.id, { transaction_id: finding.transactionId, amount_units: finding.amountUnits.toString(), amount }, this.#now());
      log.info({ ...about, transaction: finding.transactionId }, `a payment of ${formatUsd(amount, 6)} USD was credited`);
    } catch (error) {
      if (!(error instanceof CreditRefused)) throw error;
      log.error(about, `a payment came in and cannot be credited: ${error.message}`);
    }
  }
}

/** Whether money may still move, or has moved and is not credited. */
export function isOpen({ state }: Pick<Payment, 'state'>): boolean {
  return state !== 'credited' && state !== 'failed';
}
