import type { Bought, Privacy } from '@/lib/protocol/api-keys/key-scope';
import type { AskedBlock } from '@/lib/protocol/receipts/receipt';
import type { Awaitable } from '../auth/caller';
import type { Reply } from '../http/call';
import type { PaidCall } from './paid-call';

/** Maximum cost of a request. This amount is held while the request runs. */
export interface Price {
  maxNanoUsd: number;
  /** Maximum credits, which count only toward the RPC proxy's caps. */
  maxCredits: number;
  /** True if the call changes nothing and may run before admission (`ReserveRequest`). */
  deferrable?: boolean;
}

export interface AskedItems {
  isBatch: boolean;
  items: readonly { method: string; block: AskedBlock | null }[];
}

/** One kind of paid call: its price, its work and its rules. */
export interface PaidService<Checked> {
  /** Which rate limits apply: those of the RPC proxy, or the minute limit of all other endpoints. */
  caps: 'rpc' | 'endpoint';
  /** How a request that repeats a payment or an Idempotency-Key gets the stored answer. */
  repetition: {
    /** Prefix that separates this service's stored Idempotency-Keys; null if the service ignores Idempotency-Keys. */
    keyPrefix: string | null;
    fingerprint(checked: Checked): string;
    /** Returns a stored answer, without charge. */
    replay(body: Uint8Array, paid: PaidCall, checked: Checked): Awaitable<Reply>;
  };
  /** Reads and checks a request. @throws ApiError for an invalid request, which costs nothing */
  validate(paid: PaidCall): Awaitable<Checked>;
  /** Returns the prices of the request by name, for the receipt. */
  prices?(checked: Checked): Readonly<Record<string, number>>;
  /** Returns the items of a JSON-RPC request with their block references, for the receipt. */
  asked?(checked: Checked): AskedItems;
  /**
   * Returns what the request buys, to check the key's scope. If this is not known yet, returns everything that the
   * request might buy.
   */
  bought(checked: Checked): Bought | readonly Bought[];
  /**
   * Returns the privacy of a request, for keys that require privacy; null if the request is not private. Absent for
   * services without private models.
   */
  privacyOf?(checked: Checked): Promise<Privacy | null>;
  price(checked: Checked): Price;
  /**
   * Refuses a request that cannot succeed, for example because there is no upstream. Called before a payment is taken.
   * @param caller the payer's account; `NO_ACCOUNT` if the payer has none yet
   * @throws ApiError
   */
  requireServable?(checked: Checked, caller: number): void;
  /** Returns a shorter request that the balance covers; null if nothing useful is left. */
  shorten?(checked: Checked, spendableNanoUsd: number): Checked | null;
  /**
   * Does the work and settles the call, before the answer or the end of a stream is sent. A call that is still
   * unsettled afterwards is released, unless the answer's body took over the call.
   */
  fulfil(paid: PaidCall, checked: Checked): Promise<Reply>;
}
