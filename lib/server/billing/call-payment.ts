import type { Call } from '../http/call';

/** Reads x402 payments. A call with a payment needs no credential. */
export interface CallPayments {
  /** Returns whether the call carries a payment, valid or not. */
  isPresent(call: Call): boolean;
  /**
   * Reads a call's payment. Moves no money and queries no chain.
   * @returns null if the call carries no payment
   * @throws ApiError 400 for an invalid payment, 429 and 503 under load
   */
  read(call: Call): Promise<CallPayment | null>;
}

export interface CallPayment {
  readonly payer: string;
  readonly amountNanoUsd: number;
  /**
   * True if the payment was recorded before this call. The wallet's balance then includes the amount, or will include
   * it once the payment is credited.
   */
  readonly isRecorded: boolean;
  /** True if the payer's own key signed the payment. False if only a chain can verify the signature. */
  readonly isProven: boolean;
  /**
   * Accepts the payment once: binds it to this call, verifies, settles and credits it.
   * @param request hash of method, path and content
   * @throws ApiError 400 for an invalid payment, 402 if another request used the payment, 503 while the payment is
   * pending
   */
  take(request: string): Promise<TakenPayment>;
}

/** Payment that was credited to the payer's account. */
export interface TakenPayment {
  id: string;
  accountId: number;
  /** Headers with the payment's receipt: `PAYMENT-RESPONSE`, and the same header under its x402 v1 name. */
  headers: Record<string, string>;
}
