import type { Logger } from 'pino';
import { formatUsd } from '@/lib/protocol/pricing';
import { CreditRefused } from '../db/credits';
import {
  creditPayment,
  failPayment,
  markSubmitted,
  notePayment,
  type Payment,
  type PaymentNote,
  readPayment,
} from '../db/payments';
import type { Database } from '../db/schema';
import { resubmitAfterMs } from './payment-pace';
import type { Finding, Possible, Rail } from './rail';
import { nanoUsdOf } from './token-amount';

interface PaymentWorkOptions {
  db: Database;
  log: Logger;
  now: () => number;
}

/**
 * Takes the next step of a payment that this process has leased. Looks it up on chain, submits it if useful, and ends
 * it when the outcome is known.
 */
export class PaymentWork {
  constructor(private readonly options: PaymentWorkOptions) {}

  /**
   * @returns what the chain shows about a payment that stays open; null if the payment has ended or cannot be credited
   * @throws ChainUnreachable
   */
  async take(payment: Payment, rail: Rail): Promise<Possible | null> {
    // The payment may already be on chain, submitted by someone else or by an earlier attempt that got no answer.
    const before = await rail.look(payment);
    if (before.outcome !== 'possible') return this.#end(payment, rail, before);
    if (!maySubmit(payment, before, this.options.now())) return this.#keep(payment, before);
    const error = await this.#submit(payment, rail);
    const submitted = await readPayment(this.options.db, payment.id);
    const after = await rail.look(submitted);
    return after.outcome === 'possible' ? this.#keep(submitted, after, error) : this.#end(payment, rail, after);
  }

  async #submit(payment: Payment, rail: Rail): Promise<string | null> {
    const { db, log, now } = this.options;
    await markSubmitted(db, payment.id, now());
    try {
      const error = await rail.settle(payment, {
        onTransaction: (transactionId) => notePayment(db, payment.id, { transaction_id: transactionId }),
      });
      if (error)
        log.warn({ paymentId: payment.id, network: payment.network, reason: error }, 'payment was not settled');
      return error;
    } catch (error) {
      log.warn({ err: error, paymentId: payment.id, network: payment.network }, 'submitting a payment failed');
      return error instanceof Error ? error.message.slice(0, 500) : 'The payment could not be submitted.';
    }
  }

  async #keep(payment: Payment, finding: Possible, error: string | null = payment.error): Promise<Possible> {
    const { note, searchedTo = payment.searched_to } = finding;
    const known: PaymentNote = { error: payment.error, waits_for: payment.waits_for, searched_to: payment.searched_to };
    // If the chain has accepted the payment, submission errors no longer matter.
    const learned: PaymentNote = { error: note === null ? error : null, waits_for: note, searched_to: searchedTo };
    if (JSON.stringify(known) !== JSON.stringify(learned)) await notePayment(this.options.db, payment.id, learned);
    return finding;
  }

  async #end(payment: Payment, rail: Rail, finding: Exclude<Finding, Possible>): Promise<null> {
    const { db, log, now } = this.options;
    const about = { paymentId: payment.id, network: payment.network, payer: payment.payer };
    if (finding.outcome === 'impossible') {
      await failPayment(db, payment.id, finding.reason, now());
      log.info({ ...about, reason: finding.reason }, 'payment failed');
      return null;
    }
    const amount = nanoUsdOf(finding.amountUnits, rail.terms.decimals);
    try {
      await creditPayment(
        db,
        payment.id,
        { transaction_id: finding.transactionId, amount_units: finding.amountUnits.toString(), amount },
        now(),
      );
      log.info({ ...about, transaction: finding.transactionId, amountUsd: formatUsd(amount, 6) }, 'payment credited');
    } catch (error) {
      if (!(error instanceof CreditRefused)) throw error;
      log.error({ ...about, reason: error.message }, 'crediting a received payment failed');
    }
    return null;
  }
}

function maySubmit(
  { state, attempts, tried_at: triedAt }: Payment,
  { isSubmittable = true }: Possible,
  now: number,
): boolean {
  if (!isSubmittable || state === 'settled') return false;
  const sinceMs = triedAt === null ? Infinity : Math.abs(now - triedAt);
  return state === 'verified' || sinceMs >= resubmitAfterMs(attempts);
}

/** Returns whether a payment is open: its money may still move, or has moved without being credited. */
export function isOpen({ state }: Pick<Payment, 'state'>): boolean {
  return state !== 'credited' && state !== 'failed';
}
