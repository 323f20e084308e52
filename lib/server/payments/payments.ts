import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '@/lib/protocol/pricing';
import { InvalidPayment, type PresentedPayment, readPresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { LoopTurns } from '../auth/signatures/loop-turns';
import { forgottenUntil } from '../billing/rules/idempotency';
import { findPayment, type Payment, readPayment, recordPayment } from '../db/payments';
import { OpenPayments, type OpenPaymentsMax, type SharedChecks } from './open-payments';
import { PaymentRuns, type PaymentRunsOptions } from './payment-runs';
import { isOpen } from './payment-work';
import { type CallPurpose, type PaymentOrigin, PaymentUsed, type Presentation } from './presentation';
import { ChainUnreachable, type Rail, type ReadPayment, type SoughtPayment, type VerifiedAt } from './rail';
import type { RailList } from './rail-list';
import { recordedPayment } from './recorded-payment';
import { nanoUsdOf } from './token-amount';

/** What `Payments` needs beside its rails. */
export interface PaymentsOptions
  extends Omit<PaymentRunsOptions, 'owner' | 'now'>, Partial<Pick<PaymentRunsOptions, 'owner' | 'now'>> {
  /** How many payments may be open; unbounded unless given. */
  openMax?: OpenPaymentsMax;
  /** Where signatures that only a node can judge have their slots. */
  contractChecks?: SharedChecks;
  /** How long whoever pays is kept waiting for the outcome. */
  answerWithinMs?: number;
  /** How long closing waits for what is under way. */
  closeWithinMs?: number;
}

const CLOSE_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 25_000;
const WAIT_POLL_MS = 100;
/** Between two payments of a crowd; one takes up to a millisecond. */
const PAYMENT_REST_MS = 4;
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
  readonly #recording = new Map<string, Promise<Payment>>();
  readonly #turns = new LoopTurns(PAYMENT_REST_MS);
  readonly #open: OpenPayments;
  readonly #runs: PaymentRuns;
  readonly #now: () => number;

  constructor(
    readonly rails: RailList,
    private readonly options: PaymentsOptions,
  ) {
    this.#now = options.now ?? Date.now;
    this.#open = new OpenPayments(
      options.db,
      rails.terms,
      options.openMax ?? UNBOUNDED,
      options.contractChecks ?? null,
    );
    this.#runs = new PaymentRuns(rails, { ...options, owner: options.owner ?? randomUUID(), now: this.#now });
  }

  /** Takes up what was left under way, now and periodically. */
  start(): Promise<void> {
    return this.#runs.start();
  }

  /** Lets what is under way come to an end, for a while: the rest is taken up at the next start. */
  async close(): Promise<void> {
    await this.#runs.close(this.options.closeWithinMs ?? CLOSE_WITHIN_MS);
    for (const rail of this.rails.all) rail.close?.();
  }

  /** Takes up every open payment that is due. Never throws. */
  resume(): Promise<void> {
    return this.#runs.resume();
  }

  /** Does the next step for a payment; whoever asks while one is under way waits for that. Never throws. */
  advance(id: string): Promise<void> {
    return this.#runs.advance(id);
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
      return {
        presented,
        rail,
        read,
        recorded,
        payer: read.payer,
        amountNanoUsd: this.#worthOf(rail, read),
        isProven: read.isProven ?? true,
      };
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
    return {
      presented,
      rail: null,
      read: null,
      recorded,
      payer: recorded.payer,
      amountNanoUsd: recorded.amount,
      isProven: true,
    };
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
        throw new InvalidPayment(
          'authorization_already_used',
          'This authorisation was presented before with another amount, receiver or signature, and what was recorded then stands. Sign a new one.',
        );
      }
      return payment;
    } catch (error) {
      if (!(error instanceof InvalidPayment || error instanceof ChainUnreachable)) throw error;
      return (await this.#presentRecorded(presented, error)).recorded as Payment;
    }
  }

  /** A payment that came with a call is a credential for that call, once, and for as long as its answer is kept. */
  #refuseOtherPurpose({ call, created_at: createdAt }: Payment, asked: string): void {
    if (call === null)
      throw new PaymentUsed(
        'This payment was taken as a top-up: it is prepaid money of its wallet, and pays for no call by itself. Sign in with the wallet, or sign a new payment.',
      );
    if (call !== asked)
      throw new PaymentUsed(
        'This payment was presented with another request, and pays for that one alone. Sign a new payment for this one.',
      );
    if (createdAt <= forgottenUntil(this.#now()))
      throw new PaymentUsed(
        'This payment was presented more than 24 hours ago, and its answer is kept no longer. Sign a new payment.',
      );
  }

  /** Works on a payment until it has ended, this process has done what it can for now, or the time is over. */
  async #conclude(payment: Payment): Promise<Payment> {
    const { db, answerWithinMs = ANSWER_WITHIN_MS } = this.options;
    const deadline = performance.now() + answerWithinMs;
    let current = payment;
    let presentedAgain = true;
    for (
      let wait = WAIT_POLL_MS;
      isOpen(current) && performance.now() < deadline && !this.#runs.isClosed;
      wait = Math.min(wait * 2, 1_000)
    ) {
      if (this.#runs.isDue(current, presentedAgain)) {
        presentedAgain = false;
        await Promise.race([
          this.#runs.advance(current.id),
          sleep(Math.max(1, deadline - performance.now()), undefined, { ref: false }),
        ]);
        current = await readPayment(db, current.id);
      }
      if (!isOpen(current)) break;
      await sleep(Math.max(1, Math.min(wait, deadline - performance.now())));
      current = await readPayment(db, current.id);
    }
    return current;
  }

  /** What is presented several times at once is verified once. */
  #record(rail: Rail, read: ReadPayment, { client = null, purpose = null }: PaymentOrigin): Promise<Payment> {
    const key = JSON.stringify([read.identity, read.content]);
    let recording = this.#recording.get(key);
    if (!recording) {
      const { identity, payer, isProven = true } = read;
      recording = this.#open
        .enter({ identity, client, payer, isProven }, () => this.#verifyAndRecord(rail, read, client, purpose))
        .finally(() => this.#recording.delete(key));
      this.#recording.set(key, recording);
    }
    return recording;
  }

  async #verifyAndRecord(
    rail: Rail,
    read: ReadPayment,
    client: string | null,
    purpose: CallPurpose | null,
  ): Promise<Payment> {
    const amount = this.#amountOf(rail, read, purpose);
    await this.#runs.prepare(rail);
    const verifiedAt = await this.#verify(rail, read, purpose);
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
      throw new InvalidPayment(
        'amount_too_small',
        `The payment is over ${formatUsd(amount, 6)} USD; the least is ${purpose ? formatUsd(minimumNanoUsd, 6) : this.rails.minimumTopUpUsd} USD.`,
      );
    }
    return amount;
  }

  /**
   * A payment that no longer verifies may have been executed by somebody else: then the money is there. It is searched
   * for only where the rail says that this would explain the refusal, and taken up where that search has more to do.
   */
  async #verify(rail: Rail, read: ReadPayment, purpose: CallPurpose | null): Promise<VerifiedAt> {
    try {
      return await rail.verify(read);
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error;
      const verifiedAt = await rail.searchFrom(read, error);
      if (!verifiedAt || !(await this.#wasTaken(rail, read, verifiedAt))) throw error;
      // Anyone can read it on the chain and present it: it is money of its wallet, and no credential for a call.
      if (purpose)
        throw new PaymentUsed(
          'This payment was executed on its chain before it was presented here, and pays for no call. Present it to POST /api/v1/x402/top-up, which credits its wallet, or sign a new one.',
        );
      return verifiedAt;
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
}

/** Whether a recorded payment is this very one; what an earlier version recorded is read anew, since it wrote it as it came. */
function isSamePayment(rail: Rail, recorded: Payment, read: ReadPayment): boolean {
  const content = JSON.stringify(read.content);
  if (recorded.content === content) return true;
  try {
    const before = rail.read({
      network: recorded.network,
      accepted: null,
      content: JSON.parse(recorded.content) as Record<string, unknown>,
    });
    return JSON.stringify(before.content) === content;
  } catch {
    return false;
  }
}
