import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Payment } from '../store/payments';
import type { RailTerms } from './rails';

/** A payment that has the right shape and is for this rail; nothing of it is proved. */
export interface ReadPayment {
  /** What makes it this payment: the same however often and in whatever wrapping it is presented. */
  identity: string;
  /** In the form of the store. */
  payer: string;
  amountUnits: bigint;
  /** Unix milliseconds after which it cannot be executed; null where the chain counts in blocks. */
  expiresAt: number | null;
  /** What was signed. */
  content: Record<string, unknown>;
}

/** How far the chain was when the payment was verified. */
export interface VerifiedAt {
  /** Block or slot before which the payment was not executed. */
  fromHeight: number;
  /** Block height after which it cannot be; null where the chain counts in seconds. */
  expiresHeight: number | null;
}

/**
 * What the chain itself says of a payment.
 * - paid: the receiver has the money, this much of it.
 * - possible: not executed, and may still be.
 * - impossible: it was not executed and never will be.
 */
export type Finding =
  | { outcome: 'paid'; transactionId: string; amountUnits: bigint }
  | { outcome: 'possible'; note: string | null }
  | { outcome: 'impossible'; reason: string };

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

/** One way for money to come in. Everything that differs between families of chains is behind this. */
export interface Rail {
  readonly terms: RailTerms;
  /** What a payment of this amount must satisfy; null while the facilitator has not said what that takes. */
  requirements(amountUnits: bigint): PaymentRequirements | null;
  /** @throws InvalidPayment */
  read(presented: PresentedPayment): ReadPayment;
  /**
   * Proves that the payment would be executed now: signature, time, balance, receiver, amount.
   * @throws InvalidPayment, or ChainUnreachable
   */
  verify(payment: ReadPayment): Promise<VerifiedAt>;
  /** Where a search for an execution that came before the verification begins. @throws ChainUnreachable */
  searchFrom(payment: ReadPayment): Promise<VerifiedAt>;
  /**
   * Has the payment executed. What it returns or throws proves nothing of the money: ask `look`.
   * @returns what went wrong, as far as was said; null if nothing.
   */
  settle(payment: Payment, hooks: SettleHooks): Promise<string | null>;
  /** Asks the chain. @throws ChainUnreachable */
  look(payment: Payment): Promise<Finding>;
  close?(): void;
}
