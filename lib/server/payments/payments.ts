import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '@/lib/protocol/pricing';
import { InvalidPayment, type PresentedPayment, readPresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { LoopTurns } from '../auth/signatures/loop-turns';
import { forgottenUntil } from '../billing/rules/idempotency';
import { findPaymentByIdentifier, freeIdentifier } from '../db/payment-identifiers';
import { findPayment, type Payment, readPayment, recordPayment } from '../db/payments';
import { OpenPayments, type OpenPaymentsMax, type SharedChecks } from './open-payments';
import { PaymentRuns, type PaymentRunsOptions } from './payment-runs';
import { isOpen } from './payment-work';
import {
  type CallPurpose,
  type PaymentOrigin,
  type PaymentTerms,
  PaymentUsed,
  type Presentation,
  requireSameTerms,
} from './presentation';
import { ChainUnreachable, type Rail, type ReadPayment, type SoughtPayment, type VerifiedAt } from './rail';
import type { RailList } from './rail-list';
import { recordedPayment } from './recorded-payment';
import { nanoUsdOf } from './token-amount';

export interface PaymentsOptions
  extends Omit<PaymentRunsOptions, 'owner' | 'now'>, Partial<Pick<PaymentRunsOptions, 'owner' | 'now'>> {
  /** Unlimited if absent. */
  openMax?: OpenPaymentsMax;
  contractChecks?: SharedChecks;
  /** Longest time that a payer waits for the outcome. */
  answerWithinMs?: number;
  closeWithinMs?: number;
}

interface RecordOrigin extends PaymentOrigin {
  identifier: string | undefined;
}

const CLOSE_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 25_000;
const WAIT_POLL_MS = 100;
/** Pause between two payments while many payments wait. Each payment takes up to 1 ms of CPU time. */
const PAYMENT_REST_MS = 4;
const UNBOUNDED: OpenPaymentsMax = { perAddress: Infinity, perPayer: Infinity, total: Infinity };

/**
 * Verifies, records and submits payments, then settles and credits them in one transaction.
 *
 * This folder, `payments`, credits a payment once, with the amount received on chain, after the gateway's own node
 * confirmed it. A report from a facilitator is not proof. A recorded payment is looked up until it is credited or can
 * no longer execute. A repeated payment gets its earlier answer. The same authorization with different content is
 * refused. The gateway queries the chain at a fixed pace, however often a payment is presented.
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

  start(): Promise<void> {
    return this.#runs.start();
  }

  async close(): Promise<void> {
    await this.#runs.close(this.options.closeWithinMs ?? CLOSE_WITHIN_MS);
    for (const rail of this.rails.all) rail.close?.();
  }

  resume(): Promise<void> {
    return this.#runs.resume();
  }

  advance(id: string): Promise<void> {
    return this.#runs.advance(id);
  }

  /**
   * Accepts the payment in a header, and processes it until it ends or `answerWithinMs` has passed.
   *
   * @param client the client's address in canonical form
   * @returns payment: credited, failed, or still open
   * @throws InvalidPayment, TooManyPayments or ChainUnreachable; in each case this call submitted nothing
   */
  async receive(header: string, origin: PaymentOrigin = {}): Promise<Payment> {
    return this.take(await this.present(header), origin);
  }

  /**
   * Parses the payment in a header and makes all checks that need no node. Records nothing.
   * @throws InvalidPayment if the payment is not for this gateway and was never recorded; or ChainUnreachable
   */
  async present(header: string): Promise<Presentation> {
    await this.#turns.next();
    const presented = readPresentedPayment(header);
    try {
      const rail = this.rails.railOf(presented);
      const read = rail.read(presented);
      // Lets other work run between the signature check and the store query.
      await nextTurn();
      const { payer, isProven = true } = read;
      const recorded = await this.#recordOf(read, presented.identifier);
      return { presented, rail, read, recorded, payer, amountNanoUsd: this.#worthOf(rail, read), isProven };
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error;
      return this.#presentRecorded(presented, error);
    }
  }

  /**
   * Returns the record of a payment. If there is none, and the payer's key signed the payment, returns the record of
   * the payer's earlier payment with the same identifier.
   */
  async #recordOf({ identity, payer, isProven = true }: ReadPayment, identifier?: string): Promise<Payment | null> {
    const { db } = this.options;
    const recorded = await findPayment(db, identity);
    if (recorded || identifier === undefined || !isProven) return recorded ?? null;
    return (await findPaymentByIdentifier(db, { payer, identifier }, forgottenUntil(this.#now()))) ?? null;
  }

  /**
   * Returns a recorded payment, even if the payment would be refused now.
   * @throws the refusal if the payment is not recorded
   */
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
   * Accepts a payment that `present` has parsed. Processes it until it ends or `answerWithinMs` has passed.
   *
   * @returns the payment's record, or the payer's earlier payment with the same identifier and terms
   * @throws PaymentUsed if the payment was already presented for another call or as a top-up, or is too old;
   * IdentifierReused if an earlier payment has its identifier but other terms
   */
  async take(presentation: Presentation, origin: PaymentOrigin = {}): Promise<Payment> {
    const payment = await this.#recordedOf(presentation, origin);
    if (origin.purpose) this.#refuseOtherPurpose(payment, origin.purpose.call);
    return this.#conclude(payment);
  }

  async #recordedOf({ presented, rail, read, recorded }: Presentation, origin: PaymentOrigin): Promise<Payment> {
    if (read === null) return recorded;
    try {
      const { identifier } = presented;
      const payment = recorded ?? (await this.#record(rail, read, { ...origin, identifier }));
      if (identifier !== undefined && payment.identifier === identifier && payment.identity !== read.identity) {
        requireSameTerms(payment, termsOf(rail, read, origin.purpose));
        return payment;
      }
      if (!isSamePayment(rail, payment, read)) {
        throw new InvalidPayment(
          'authorization_already_used',
          'This authorisation was already sent with another amount, receiver or signature, and the gateway keeps the first one. Sign a new authorisation.',
        );
      }
      return payment;
    } catch (error) {
      if (!(error instanceof InvalidPayment || error instanceof ChainUnreachable)) throw error;
      return (await this.#presentRecorded(presented, error)).recorded as Payment;
    }
  }

  /** Refuses a payment that came with a different call, or whose call's answer is no longer stored. */
  #refuseOtherPurpose({ call, created_at: createdAt }: Payment, asked: string): void {
    if (call === null)
      throw new PaymentUsed(
        'This payment was already used as a top-up, so it cannot pay for a call. Sign in with the wallet to spend its prepaid balance, or sign a new payment.',
      );
    if (call !== asked)
      throw new PaymentUsed('This payment was already used for another request. Sign a new payment for this request.');
    if (createdAt <= forgottenUntil(this.#now()))
      throw new PaymentUsed(
        'This payment was used more than 24 hours ago, and its answer is no longer stored. Sign a new payment.',
      );
  }

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

  #record(rail: Rail, read: ReadPayment, origin: RecordOrigin): Promise<Payment> {
    const key = JSON.stringify([read.identity, read.content]);
    let recording = this.#recording.get(key);
    if (!recording) {
      const { identity, payer, isProven = true } = read;
      recording = this.#open
        .enter({ identity, client: origin.client ?? null, payer, isProven }, () =>
          this.#verifyAndRecord(rail, read, origin),
        )
        .finally(() => this.#recording.delete(key));
      this.#recording.set(key, recording);
    }
    return recording;
  }

  async #verifyAndRecord(
    rail: Rail,
    read: ReadPayment,
    { client = null, purpose = null, identifier }: RecordOrigin,
  ): Promise<Payment> {
    const { db } = this.options;
    const amount = this.#amountOf(rail, read, purpose);
    await this.#runs.prepare(rail);
    const verifiedAt = await this.#verify(rail, read, purpose);
    const { identity, payer } = read;
    if (identifier !== undefined) await freeIdentifier(db, { payer, identifier }, forgottenUntil(this.#now()));
    return recordPayment(
      db,
      {
        ...termsOf(rail, read, purpose),
        identity,
        payer,
        amount,
        content: JSON.stringify(read.content),
        from_height: verifiedAt.fromHeight,
        expires_at: read.expiresAt,
        expires_height: verifiedAt.expiresHeight,
        client,
        identifier,
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
        `The payment is ${formatUsd(amount, 6)} USD; the minimum is ${purpose ? formatUsd(minimumNanoUsd, 6) : this.rails.minimumTopUpUsd} USD.`,
      );
    }
    return amount;
  }

  /**
   * Verifies a payment. If the rail refuses it, someone else may have executed it. The payment then counts as verified
   * if a search finds that execution, or if the search is unfinished.
   */
  async #verify(rail: Rail, read: ReadPayment, purpose: CallPurpose | null): Promise<VerifiedAt> {
    try {
      return await rail.verify(read);
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error;
      const verifiedAt = await rail.searchFrom(read, error);
      if (!verifiedAt || !(await this.#wasTaken(rail, read, verifiedAt))) throw error;
      // The payment is on chain, so anyone can read and present it. It may top up the payer's balance, but must not pay
      // for a call.
      if (purpose)
        throw new PaymentUsed(
          'This payment was executed on its chain before the gateway received it, so it cannot pay for a call. Send it to POST /api/v1/x402/top-up to credit the wallet, or sign a new payment.',
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
      // The search ended without a result. If the payment were recorded, the search would start again and again.
      if (finding.searchedTo === null)
        throw new ChainUnreachable('It is not known yet which transaction executed the payment.');
      return finding.isSubmittable === false;
    }
    return finding.outcome === 'paid' && finding.amountUnits === read.amountUnits;
  }
}

function termsOf({ terms }: Rail, { amountUnits }: ReadPayment, purpose: CallPurpose | null = null): PaymentTerms {
  return {
    network: terms.network,
    asset: terms.asset,
    pay_to: terms.payTo,
    amount_units: amountUnits.toString(),
    call: purpose?.call ?? null,
  };
}

/** Returns whether a recorded payment is the presented payment. Records of earlier releases are not normalized. */
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
