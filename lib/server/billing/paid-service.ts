import type { Bought, Privacy } from '@/lib/protocol/api-keys/key-scope';
import type { Awaitable } from '../auth/caller';
import type { Reply } from '../http/call';
import type { PaidCall } from './paid-call';

/** Maximum cost of a checked request, held while it runs. */
export interface Price {
  maxNanoUsd: number;
  /** Only the RPC proxy's caps count credits. */
  maxCredits: number;
  /** True if the call changes nothing, so that it may run before admission (`ReserveRequest`). */
  deferrable?: boolean;
}

/** One kind of paid call: its price, its work and its rules. */
export interface PaidService<Checked> {
  /**
   * Rate limits that apply: `rpc` for those of the RPC proxy; `endpoint` for the minute limit of all other endpoints.
   */
  caps: 'rpc' | 'endpoint';
  /** How a repeated request, with the same payment or Idempotency-Key, gets the stored answer. */
  repetition: {
    /** Prefix of stored Idempotency-Keys, so that services share none; null if the service ignores them. */
    keyPrefix: string | null;
    /** Returns a fingerprint, equal for identical requests. */
    fingerprint(checked: Checked): string;
    /** Returns a stored answer, without charge. */
    replay(body: Uint8Array, paid: PaidCall, checked: Checked): Awaitable<Reply>;
  };
  /** Reads and checks a request. @throws ApiError for an invalid request, without charge */
  validate(paid: PaidCall): Awaitable<Checked>;
  /** Returns the prices that apply, by name, for receipts. */
  prices?(checked: Checked): Readonly<Record<string, number>>;
  /** Returns what the request buys, to check the key's scope. If unknown, returns everything possible. */
  bought(checked: Checked): Bought | readonly Bought[];
  /**
   * Returns the privacy of a checked request, for keys that require privacy; null if the request is not private. Absent
   * without private models.
   */
  privacyOf?(checked: Checked): Promise<Privacy | null>;
  price(checked: Checked): Price;
  /**
   * Refuses a request that cannot succeed, for example without an upstream. Called before a payment is taken.
   *
   * @throws ApiError
   */
  requireServable?(checked: Checked): void;
  /** Shortens the request to what the money covers. Returns null if nothing useful is left. */
  shorten?(checked: Checked, spendableNanoUsd: number): Checked | null;
  /**
   * Does the work, and settles the call before the answer, or its end, is sent. An unsettled call is released
   * afterwards, unless the answer's body took it over.
   */
  fulfil(paid: PaidCall, checked: Checked): Promise<Reply>;
}
