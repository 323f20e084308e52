import type { InvalidPayment, PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Payment } from '../db/payments';
import type { RailTerms } from './rail-terms';

/** A payment that has the right shape and is for this rail; nothing of it is proved. */
export interface ReadPayment {
  /** What makes it this payment: the same however often and in whatever wrapping it is presented. */
  identity: string;
  /** In the form of the store. */
  payer: string;
  amountUnits: bigint;
  /** Unix milliseconds after which it cannot be executed; null where the chain counts in blocks. */
  expiresAt: number | null;
  /** What was signed, and the signature, in the one form that is the same however it was written. */
  content: Record<string, unknown>;
  /** Whether the payer's own key signed exactly this, as far as that shows without asking a node. Absent for yes. */
  isProven?: boolean;
}

/** What looking for a payment takes of it. */
export type SoughtPayment = Pick<
  Payment,
  | 'content'
  | 'amount_units'
  | 'payer'
  | 'transaction_id'
  | 'from_height'
  | 'expires_at'
  | 'expires_height'
  | 'searched_to'
  | 'tried_at'
  | 'attempts'
  | 'created_at'
>;

/** How far the chain was when the payment was verified. */
export interface VerifiedAt {
  /** Block or slot before which the payment was not executed. */
  fromHeight: number;
  /** Block height after which it cannot be; null where the chain counts in seconds. */
  expiresHeight: number | null;
}

/**
 * What the chain itself says of a payment.
 * - paid: the receiver has the money; this much of it came in by this payment.
 * - possible: not known to be executed, and may still be, or the search did not reach its end.
 * - impossible: it was not executed and never will be. Only where the search reached its end.
 */
export type Finding =
  | { outcome: 'paid'; transactionId: string; amountUnits: bigint }
  | Possible
  | { outcome: 'impossible'; reason: string };

/** A payment that is neither executed for sure nor over. */
export interface Possible {
  outcome: 'possible';
  /** What it waits for, in a sentence for who pays; null for its execution. */
  note: string | null;
  /**
   * Whether it may be submitted (again); absent for yes. Not where the chain has taken it, and only the transaction or
   * its confirmations are missing, and not where a transaction of it was reverted: another would cost for nothing.
   */
  isSubmittable?: boolean;
  /** Height up to which nothing was found, for the next look to go on from; null to begin anew, absent to leave it. */
  searchedTo?: number | null;
  /** When looking again is worth it; absent for the usual pace. */
  lookAgainInMs?: number;
}

/** The chain did not answer, or not in time: nothing is known. */
export class ChainUnreachable extends Error {
  override readonly name = 'ChainUnreachable';

  /** Known by its name: bundles of one process have classes of their own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ChainUnreachable';
  }
}

/** What submitting a payment tells as it goes. */
export interface SettleHooks {
  /** A transaction is about to be sent; resolves when that is on disk. */
  onTransaction(transactionId: string): Promise<void>;
}

/**
 * One way for money to come in. What differs between families of chains while a payment is taken is behind this. Who may
 * pay and sign in is not: addresses and the messages of a sign-in are lib/protocol's, signatures lib/server/auth's.
 */
export interface Rail {
  readonly terms: RailTerms;
  /** What a payment of this amount must satisfy; null while the facilitator has not said what that takes. */
  requirements(amountUnits: bigint): PaymentRequirements | null;
  /**
   * Reads a payment, and refuses without asking any node what does not fit: receiver, token, shape, signature.
   * @throws InvalidPayment
   */
  read(presented: PresentedPayment): ReadPayment;
  /**
   * Proves that the payment would be executed now: signature, time, balance, receiver, amount.
   * @throws InvalidPayment, or ChainUnreachable
   */
  verify(payment: ReadPayment): Promise<VerifiedAt>;
  /**
   * Where a search begins for an execution that came before the payment was presented and refused so.
   * @returns null where the refusal is none that an execution would explain: then nothing is searched.
   * @throws ChainUnreachable
   */
  searchFrom(payment: ReadPayment, refusal: InvalidPayment): Promise<VerifiedAt | null>;
  /**
   * Has the payment executed. What it returns or throws proves nothing of the money: ask `look`.
   * @returns what went wrong, as far as was said; null if nothing.
   */
  settle(payment: Payment, hooks: SettleHooks): Promise<string | null>;
  /** Asks the chain. @throws ChainUnreachable */
  look(payment: SoughtPayment): Promise<Finding>;
  close?(): void;
}
