import type { InvalidPayment, PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import type { Payment } from '../db/payments';
import type { RailTerms } from './rail-terms';

/** Parsed payment, not verified on chain. */
export interface ReadPayment {
  /** Unique identity of the payment, the same for all encodings. */
  identity: string;
  /** Payer's address as the store records it. */
  payer: string;
  amountUnits: bigint;
  /** Expiry in Unix milliseconds; null if the chain counts blocks. */
  expiresAt: number | null;
  /** Signed content and signature, normalized. */
  content: Record<string, unknown>;
  /** True or absent if the payer's key signed exactly this payment. False if only a node can tell. */
  isProven?: boolean;
}

/** Fields of a payment that its lookup needs. */
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

/** Chain heights at verification. */
export interface VerifiedAt {
  /** Block or slot before which the payment was not executed. */
  fromHeight: number;
  /** Block height of expiry; null if the chain counts seconds. */
  expiresHeight: number | null;
}

/**
 * Result of looking a payment up.
 * - paid: the receiver got this amount.
 * - possible: the payment may still be executed, or the search is unfinished.
 * - impossible: the receiver got nothing, and never will.
 */
export type Finding =
  | { outcome: 'paid'; transactionId: string; amountUnits: bigint }
  | Possible
  | { outcome: 'impossible'; reason: string };

/** Payment whose outcome is still open. */
export interface Possible {
  outcome: 'possible';
  /** Tells the payer why the payment is still open; null while it waits for execution. */
  note: string | null;
  /** False if another submission would only cost fees. Absent means true. */
  isSubmittable?: boolean;
  /** Height at which the next lookup continues. Null restarts the search. If absent, the recorded height stays. */
  searchedTo?: number | null;
  /** Time until the next useful lookup; the usual pace if absent. */
  lookAgainInMs?: number;
}

/** The chain did not answer in time, so nothing is known. */
export class ChainUnreachable extends Error {
  override readonly name = 'ChainUnreachable';

  /** Compares names, because each bundle has its own copy of the class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ChainUnreachable';
  }
}

export interface SettleHooks {
  /** Records a transaction's id durably, before this process sends the transaction, or after a facilitator sent it. */
  onTransaction(transactionId: string): Promise<void>;
}

/** One way to receive money. Hides the differences between chain families. */
export interface Rail {
  readonly terms: RailTerms;
  /** Returns the requirements of an amount; null while the facilitator's fee payer is unknown. */
  requirements(amountUnits: bigint): PaymentRequirements | null;
  /**
   * Parses a payment. Refuses a wrong receiver, token, shape or signature, if no node is needed to find the fault.
   *
   * @throws InvalidPayment
   */
  read(presented: PresentedPayment): ReadPayment;
  /**
   * Verifies that the payment would execute now: signature, time, balance, receiver, amount.
   * @throws InvalidPayment, or ChainUnreachable
   */
  verify(payment: ReadPayment): Promise<VerifiedAt>;
  /**
   * Returns where to search for an earlier execution of a refused payment.
   *
   * @returns null if no execution would explain the refusal
   * @throws ChainUnreachable
   */
  searchFrom(payment: ReadPayment, refusal: InvalidPayment): Promise<VerifiedAt | null>;
  /**
   * Submits the payment for execution. The result proves nothing, so call `look` afterwards.
   * @returns the reported error; null if none
   */
  settle(payment: Payment, hooks: SettleHooks): Promise<string | null>;
  look(payment: SoughtPayment): Promise<Finding>;
  close?(): void;
}

/** Submits payments to a chain. Its reports are not proof, so the gateway checks the chain. */
export interface Facilitator {
  /** @throws Error if the facilitator does not answer in time */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
}
