import type { InvalidPayment, PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import { BaseError, RpcRequestError } from 'viem';
import type { Payment } from '../db/payments';
import type { RailTerms } from './rail-terms';

/** Payment that was parsed but not verified on chain. */
export interface ReadPayment {
  /** Identity of the payment. It is unique, and the same for all encodings of the payment. */
  identity: string;
  payer: string;
  amountUnits: bigint;
  /** Expiry in Unix milliseconds; null if the payment expires at a block height. */
  expiresAt: number | null;
  content: Record<string, unknown>;
  /**
   * False if only a node can tell whether the payer signed. True or absent if the payer's key signed exactly this
   * payment.
   */
  isProven?: boolean;
}

/** Fields that are needed to look up a payment. */
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

/** Heights between which a verified payment can be executed. */
export interface VerifiedAt {
  /** Block or slot before which the payment cannot have been executed. */
  fromHeight: number;
  /** Block height at which the payment expires; null if the chain uses Unix time for expiry. */
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
  /** Text that tells the payer why the payment is still open; null while the payment waits for execution. */
  note: string | null;
  /** False if submitting the payment again would only cost fees. Absent means true. */
  isSubmittable?: boolean;
  /**
   * Height at which the next lookup continues. Null restarts the search. If the field is absent, the recorded height
   * stays.
   */
  searchedTo?: number | null;
  /** Time until another lookup is useful. If absent, the usual pace applies. */
  lookAgainInMs?: number;
}

/** Error if the chain gave no usable answer. Nothing is then known about the payment. */
export class ChainUnreachable extends Error {
  override readonly name = 'ChainUnreachable';

  /** Compares class names, because each bundle has its own copy of the class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ChainUnreachable';
  }
}

export function unreachable(chainName: string, cause: unknown): ChainUnreachable {
  const error = cause instanceof BaseError && cause.walk((each) => each instanceof RpcRequestError);
  const what = error instanceof RpcRequestError ? `answered with error ${error.code}` : 'gave no usable answer';
  return new ChainUnreachable(`${chainName} ${what}.`, { cause });
}

export interface SettleHooks {
  /**
   * Records a transaction's id durably: before this process sends the transaction, or after a facilitator has sent it.
   */
  onTransaction(transactionId: string): Promise<void>;
}

/** A way to receive money. Hides the differences between chain families. */
export interface Rail {
  readonly terms: RailTerms;
  /** Returns the payment requirements for an amount; null while the facilitator's fee payer is unknown. */
  requirements(amountUnits: bigint): PaymentRequirements | null;
  /**
   * Parses a payment. Refuses a wrong receiver, token, shape or signature if no node is needed to detect it.
   * @throws InvalidPayment, or ChainUnreachable
   */
  read(presented: PresentedPayment): ReadPayment;
  /**
   * Verifies that the payment would execute now: signature, time, balance, receiver, amount.
   * @throws InvalidPayment, or ChainUnreachable
   */
  verify(payment: ReadPayment): Promise<VerifiedAt>;
  /**
   * Returns where to search for an earlier execution of a payment that was refused.
   * @returns null if an execution would not explain the refusal
   * @throws ChainUnreachable
   */
  searchFrom(payment: ReadPayment, refusal: InvalidPayment): Promise<VerifiedAt | null>;
  /**
   * Submits the payment for execution. The result proves nothing, so call `look` afterwards.
   * @returns reported error; null if none
   */
  settle(payment: Payment, hooks: SettleHooks): Promise<string | null>;
  look(payment: SoughtPayment): Promise<Finding>;
  close?(): void;
}

/** Submits payments to a chain. A facilitator's reports are not proof, so the gateway checks the chain. */
export interface Facilitator {
  /** @throws Error if the facilitator does not answer in time */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
}
