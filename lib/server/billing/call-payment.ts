import type { Call } from '../http/call';

/** The payments that come with calls, in the place of a credential (x402). */
export interface CallPayments {
  /** Whether the call carries a payment, good or bad. */
  isPresent(call: Call): boolean;
  /**
   * Reads the payment of a call. Nothing is taken, and no chain is asked.
   * @returns null where the call carries none
   * @throws ApiError 400 for what is no payment for this gateway, 429 and 503 where too much is asked
   */
  read(call: Call): Promise<CallPayment | null>;
}

/** A payment that came with a call, as it was read. */
export interface CallPayment {
  /** The wallet that pays, in the form that `walletKey` gives. */
  readonly payer: string;
  readonly amountNanoUsd: number;
  /** Whether it was recorded before: then its amount is in the wallet's balance, or on its way there. */
  readonly isRecorded: boolean;
  /** Whether the payer's own key is known to have signed it. */
  readonly isProven: boolean;
  /**
   * Takes it for this call and no other: verified, settled, and credited to the wallet, once however often it is asked.
   * @param request hash of what is asked: method, path and content
   * @throws ApiError 400 for a payment that does not hold, 402 for one that was taken for something else, 503 while it
   *   is under way
   */
  take(request: string): Promise<TakenPayment>;
}

/** A payment whose amount the payer's account has. */
export interface TakenPayment {
  id: string;
  accountId: number;
  /** The receipt: PAYMENT-RESPONSE, and its old name for clients of v1. */
  headers: Record<string, string>;
}
