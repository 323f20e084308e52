import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { formatUsd } from '@/lib/protocol/pricing';
import { InvalidPayment, type PresentedPayment, readPresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { LoopTurns } from '../auth/signatures/loop-turns';
import { forgottenUntil } from '../billing/rules/idempotency';
import { duePayments, findPayment, freeLeases, leasePayment, leavePayment, notePayment, openByRoute, type Payment, readPayment, recordPayment } from '../db/payments';
import type { Database } from '../db/schema';
import { OpenPayments, type OpenPaymentsMax, type SharedChecks } from './open-payments';
import { lookAgainAfterMs } from './payment-pace';
import { isOpen, PaymentWork } from './payment-work';
import { ChainUnreachable, type Possible, type Rail, type ReadPayment, type SoughtPayment, type VerifiedAt } from './rail';
import type { RailList } from './rail-list';
import { recordedPayment } from './recorded-payment';
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
  /** How many payments may be open; unbounded unless given. */
  openMax?: OpenPaymentsMax;
  /** Where signatures that only a node can judge have their slots. */
  contractChecks?: SharedChecks;
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
/** Between two payments of a crowd; one takes up to a millisecond. */
const PAYMENT_REST_MS = 4;
const RESUMED_AT_ONCE = 4;
/** Whoever presents a payment hears how it is by now, at most so often. */
const PRESENTED_LOOK_MS = 1_000;
/** What a payment was presented for: one call, and no other. */
export interface CallPurpose {
  /** Hash of the request: its method, path and content. */
  call: string;
  /** The least that may be paid for a call. */
  minimumNanoUsd: number;
}

/** Where a payment comes from, and what for: absent for a top-up. */
export interface PaymentOrigin {
  /** Address of the client, in its canonical form. */
  client?: string | null;
  purpose?: CallPurpose | null;
}

/** A payment as it was read. What is recorded of it is there where it was presented before. */
export type Presentation = { presented: PresentedPayment; payer: string; amountNanoUsd: number; isProven: boolean } & (
  | { rail: Rail; read: ReadPayment; recorded: Payment | null }
  | { rail: null; read: null; recorded: Payment }
);

/** The payment is good, and was presented for something else. */
export class PaymentUsed extends Error {
  override readonly name = 'PaymentUsed';

  /** Known by its name: bundles of one process have classes of their own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'PaymentUsed';
  }
}

const UNBOUNDED: OpenPaymentsMax = { perAddress: Infinity, perPayer: Infinity, total: Infinity };

/**
 * Takes payments to their end: verify, record, submit, and in one transaction mark as settled and credit.
 *
 * What it guarantees: a payment is credited once, with what came in on chain, and only after our own node says that it
 * came in; whatever is recorded is looked up again, by this process or the next, until the money is credited or can no
 * longer move. A facilitator's word is never proof. A payment that is presented again gets the answer that it had; the
 * same authorization with other content is refused. However often it is presented, the chain is asked at a pace.
 */
export class Payments {
  readonly #running = new Map<string, Promise<void>>();
  readonly #preparing = new Map<Rail, Promise<void>>();
  readonly #recording = new Map<string, Promise<Payment>>();
  /** When this process last looked for an open payment, in milliseconds of `performance.now()`. */
  readonly #lookedAt = new Map<string, number>();
  readonly #turns = new LoopTurns(PAYMENT_REST_MS);
  readonly #open: OpenPayments;
  readonly #work: PaymentWork;
  readonly #owner: string;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | null = null;
  #sooner: NodeJS.Timeout | null = null;
  #resuming: Promise<void> | null = null;
  #closed = false;

  constructor(
    readonly rails: RailList,
    private readonly options: PaymentsOptions,
  ) {
    this.#owner = options.owner ?? randomUUID();
    this.#now = options.now ?? Date.now;
    this.#open = new OpenPayments(options.db, rails.terms, options.openMax ?? UNBOUNDED, options.contractChecks ?? null);
    this.#work = new PaymentWork({ db: options.db, log: options.log, now: this.#now });
  }

  /** Takes up what was left under way, now and periodically. */
  async start(): Promise<void> {
    const { db, exclusive, resumeIntervalMs } = this.options;
    if (exclusive) await freeLeases(db, this.#now());
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
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#sooner) clearTimeout(this.#sooner);
    const ended = Promise.allSettled([this.#resuming, ...this.#running.values()]);
    await Promise.race([ended, sleep(this.options.closeWithinMs ?? CLOSE_WITHIN_MS, undefined, { ref: false })]);
    for (const rail of this.rails.all) rail.close?.();
  }

  /**
   * Takes the payment of a header and follows it to its end, or for as long as whoever pays is kept waiting.
   * @param client address that it came from, in its canonical form
   * @returns the payment in the state that it has reached: credited, failed, or still open.
   * @throws InvalidPayment, TooManyPayments, or ChainUnreachable before anything was submitted
   */
  async receive(header: string, origin: PaymentOrigin = {}): Promise<Payment> {
    return this.take(await this.present(header), origin);
  }

  /**
   * Reads the payment of a header, and refuses by itself what no node has to be asked for. Nothing of it is recorded.
   * @throws InvalidPayment where it is not, and was not, one for this gateway
   */
  async present(header: string): Promise<Presentation> {
    await this.#turns.next();
    const presented = readPresentedPayment(header);
    try {
      const rail = this.rails.railOf(presented);
      const read = rail.read(presented);
      // Others' calls come between what the signature takes and what the store takes.
      await nextTurn();
      const recorded = (await findPayment(this.options.db, read.identity)) ?? null;
      return { presented, rail, read, recorded, payer: read.payer, amountNanoUsd: this.#worthOf(rail, read), isProven: read.isProven ?? true };
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error;
      return this.#presentRecorded(presented, error);
    }
  }

  /** What is recorded has its outcome, whatever is accepted by now. @throws the refusal where nothing is. */
  async #presentRecorded(presented: PresentedPayment, refusal: Error): Promise<Presentation> {
    await this.#turns.next();
    const recorded = await recordedPayment(this.options.db, presented, this.rails.terms);
    if (!recorded) throw refusal;
    return { presented, rail: null, read: null, recorded, payer: recorded.payer, amountNanoUsd: recorded.amount, isProven: true };
  }

  /**
   * Takes a payment that was read: see `receive`.
   * @throws PaymentUsed where it was presented for another call, or for none, or too long ago
   */
  async take(presentation: Presentation, origin: PaymentOrigin = {}): Promise<Payment> {
    const payment = await this.#recordedOf(presentation, origin);
    if (origin.purpose) this.#refuseOtherPurpose(payment, origin.purpose.call);
    return this.#conclude(payment);
  }

  async #recordedOf({ presented, rail, read, recorded }: Presentation, origin: PaymentOrigin): Promise<Payment> {
    if (read === null) return recorded;
    try {
      const payment = recorded ?? (await this.#record(rail, read, origin));
      if (!isSamePayment(rail, payment, read)) {
        throw new InvalidPayment('authorization_already_used', 'This authorisation was presented before with another amount, receiver or signature, and what was recorded then stands. Sign a new one.');
      }
      return payment;
    } catch (error) {
      if (!(error instanceof InvalidPayment || error instanceof ChainUnreachable)) throw error;
      return (await this.#presentRecorded(presented, error)).recorded as Payment;
    }
  }

  /** A payment that came with a call is a credential for that call, once, and for as long as its answer is kept. */
  #refuseOtherPurpose({ call, created_at: createdAt }: Payment, asked: string): void {
    if (call === null) throw new PaymentUsed('This payment was taken as a top-up: it is prepaid money of its wallet, and pays for no call by itself. Sign in with the wallet, or sign a new payment.');
    if (call !== asked) throw new PaymentUsed('This payment was presented with another request, and pays for that one alone. Sign a new payment for this one.');
    if (createdAt <= forgottenUntil(this.#now())) throw new PaymentUsed('This payment was presented more than 24 hours ago, and its answer is kept no longer. Sign a new payment.');
  }

  /** Works on a payment until it has ended, this process has done what it can for now, or the time is over. */
  async #conclude(payment: Payment): Promise<Payment> {
    const { db, answerWithinMs = ANSWER_WITHIN_MS } = this.options;
    const deadline = performance.now() + answerWithinMs;
    let current = payment;
    let presentedAgain = true;
    for (let wait = WAIT_POLL_MS; isOpen(current) && performance.now() < deadline && !this.#closed; wait = Math.min(wait * 2, 1_000)) {
      if (this.#running.has(current.id) || this.#isDue(current, presentedAgain)) {
        presentedAgain = false;
        await Promise.race([this.advance(current.id), sleep(Math.max(1, deadline - performance.now()), undefined, { ref: false })]);
        current = await readPayment(db, current.id);
      }
      if (!isOpen(current)) break;
      await sleep(Math.max(1, Math.min(wait, deadline - performance.now())));
      current = await readPayment(db, current.id);
    }
    return current;
  }

  /** Whether the chain may be asked: at the payment's own pace, and once soon after it was presented. */
  #isDue({ id, next_look_at }: Payment, presentedAgain: boolean): boolean {
    if (next_look_at <= this.#now()) return true;
    const lookedAt = this.#lookedAt.get(id);
    return presentedAgain && (lookedAt === undefined || performance.now() - lookedAt >= PRESENTED_LOOK_MS);
  }

  /** What is presented several times at once is verified once. */
  #record(rail: Rail, read: ReadPayment, { client = null, purpose = null }: PaymentOrigin): Promise<Payment> {
    const key = JSON.stringify([read.identity, read.content]);
    let recording = this.#recording.get(key);
    if (!recording) {
      const { identity, payer, isProven = true } = read;
      recording = this.#open.enter({ identity, client, payer, isProven }, () => this.#verifyAndRecord(rail, read, client, purpose)).finally(() => this.#recording.delete(key));
      this.#recording.set(key, recording);
    }
    return recording;
  }

  async #verifyAndRecord(rail: Rail, read: ReadPayment, client: string | null, purpose: CallPurpose | null): Promise<Payment> {
    const amount = this.#amountOf(rail, read, purpose);
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
        client,
        call: purpose?.call ?? null,
      },
      this.#now(),
    );
  }

  #worthOf(rail: Rail, { amountUnits }: ReadPayment): number {
    try {
      return nanoUsdOf(amountUnits, rail.terms.decimals);
    } catch (error) {
      throw new InvalidPayment('amount_too_large', (error as Error).message);
    }
  }

  #amountOf(rail: Rail, read: ReadPayment, purpose: CallPurpose | null): number {
    const amount = this.#worthOf(rail, read);
    const minimumNanoUsd = purpose?.minimumNanoUsd ?? this.rails.minimumNanoUsd;
    if (amount < minimumNanoUsd) {
      throw new InvalidPayment('amount_too_small', `The payment is over ${formatUsd(amount, 6)} USD; the least is ${purpose ? formatUsd(minimumNanoUsd, 6) : this.rails.minimumTopUpUsd} USD.`);
    }
    return amount;
  }

  /**
   * A payment that no longer verifies may have been executed by somebody else: then the money is there. It is searched
   * for only where the rail says that this would explain the refusal, and taken up where that search has more to do.
   */
  async #verify(rail: Rail, read: ReadPayment): Promise<VerifiedAt> {
    try {
      return await rail.verify(read);
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error;
      const verifiedAt = await rail.searchFrom(read, error);
      if (verifiedAt && (await this.#wasTaken(rail, read, verifiedAt))) return verifiedAt;
      throw error;
    }
  }

  async #wasTaken(rail: Rail, read: ReadPayment, { fromHeight, expiresHeight }: VerifiedAt): Promise<boolean> {
    const sought: SoughtPayment = {
      content: JSON.stringify(read.content),
      amount_units: read.amountUnits.toString(),
      payer: read.payer,
      transaction_id: null,
      from_height: fromHeight,
      expires_at: read.expiresAt,
      expires_height: expiresHeight,
      searched_to: null,
      tried_at: null,
      attempts: 0,
      created_at: this.#now(),
    };
    const finding = await rail.look(sought);
    if (finding.outcome === 'possible') {
      // Searched to the end and not found: kept, it would have to be searched for without end.
      if (finding.searchedTo === null) throw new ChainUnreachable('The chain does not say yet what used the payment.');
      return finding.isSubmittable === false;
    }
    return finding.outcome === 'paid' && finding.amountUnits === read.amountUnits;
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
    const ids = await duePayments(this.options.db, this.rails.terms, DUE_MAX, this.#now());
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
    if (!payment) return void this.#lookedAt.delete(id);
    let left: Possible | null = null;
    try {
      if (isOpen(payment)) left = await this.#take(payment);
      if (left) this.#lookedAt.set(id, performance.now());
      else this.#lookedAt.delete(id);
    } finally {
      await leavePayment(db, id, this.#owner, this.#now() + (left?.lookAgainInMs ?? lookAgainAfterMs(payment, this.#now())));
      if (left?.lookAgainInMs !== undefined) this.#resumeIn(left.lookAgainInMs);
    }
  }

  /** Takes up what is due before the next time that it is done anyway. */
  #resumeIn(ms: number): void {
    if (this.#sooner || this.#closed || !this.#timer || ms >= this.options.resumeIntervalMs) return;
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
    await this.#prepare(rail);
    return this.#work.take(payment, rail);
  }
}

/** Whether a recorded payment is this very one; what an earlier version recorded is read anew, since it wrote it as it came. */
function isSamePayment(rail: Rail, recorded: Payment, read: ReadPayment): boolean {
  const content = JSON.stringify(read.content);
  if (recorded.content === content) return true;
  try {
    const before = rail.read({ network: recorded.network, accepted: null, content: JSON.parse(recorded.content) as Record<string, unknown> });
    return JSON.stringify(before.content) === content;
  } catch {
    return false;
  }
}
