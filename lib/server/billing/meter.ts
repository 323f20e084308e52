import type { Awaitable, Caller, CallerDirectory } from '../auth/caller';
import type { LimitPeriod, Tier } from '../db/schema';
import type { ReplayBody } from './stored-answers';

/**
 * Admits and charges paid calls. `reserve` checks limits and balance and holds the maximum cost, atomically. `settle`
 * commits the actual cost and frees the rest, before the answer or the end of a stream is sent. After a crash, an
 * unsettled call is charged only for its last checkpoint.
 */
export interface Meter extends CallerDirectory {
  /**
   * Returns what the caller can spend, in nano-USD: balances minus holds. Only a value above 0 may come from a cache.
   */
  spendable(caller: Caller, options?: { willReserve: boolean }): Awaitable<number>;
  /** Replaces the caps without resetting counts. */
  takeLimits(limits: MeterLimits): void;
  reserve(request: ReserveRequest): Awaitable<Admission>;
  /**
   * Charges a reservation. Resolves with the remaining balance once the charge is committed.
   * @throws ChargeRefused if a deferrable call is not admitted; the call's answer must then be withheld
   */
  settle(reservation: Reservation, charge: Charge): Promise<Settled>;
  /**
   * Renews a long call's reservation and records the call's cost so far. This cost is charged if the process dies
   * before settling. Does nothing after settle or release.
   */
  checkpoint(reservation: Reservation, charge: Charge): Awaitable<void>;
  /** Frees a reservation without charge. Does nothing after settle or release. */
  release(reservation: Reservation): Awaitable<void>;
  /** Drops a key's cached terms. Other processes may use the old terms for up to a minute. */
  keyChanged(keyId: number): void;
  /** Returns the current epoch's daily allocation; null if it has not been set yet. */
  allocation(accountId: number): Awaitable<Allocation | null>;
  /**
   * Fixes the current epoch's allocation and expires the previous one, in one transaction. Later calls in any process
   * get the same allocation.
   */
  allocate(request: AllocateRequest): Promise<Allocation | null>;
  close(): Awaitable<void>;
}

export interface Settled {
  remainingNanoUsd: number;
  /** True if there was no room to store the answer. In this case, only the call and its charge are recorded. */
  isUnkept?: true;
}

/** Daily allocation. Its epoch counts UTC days since 1970. */
export interface Allocation {
  epoch: number;
  amountNanoUsd: number;
}

export interface AllocateRequest {
  accountId: number;
  amountNanoUsd: number;
  /** Stake from which the amount is computed, in base units of the token. */
  staked: bigint;
  pool: bigint;
}

export interface ReserveRequest {
  caller: Caller;
  /**
   * Hash of the API key; null for wallets. The hash lets the meter notice that a key was revoked after authentication.
   */
  keyHash: string | null;
  maxNanoUsd: number;
  maxCredits: number;
  /** True if the RPC proxy's rate limits do not apply. */
  uncapped?: boolean;
  /**
   * True if the call changes nothing and its answer is withheld until the charge. Such a call may run before admission
   * if its caller is far from every limit.
   */
  deferrable?: boolean;
  idempotency: { key: string; fingerprint: string } | null;
  now: number;
}

/** Admitted call. Only the meter that made it reads its fields. */
export interface Reservation {
  readonly request: ReserveRequest;
}

export interface Charge {
  amountNanoUsd: number;
  /** Credits, which count only toward the RPC proxy's rolling cap. */
  credits: number;
  /**
   * Quantity in the resource's unit, such as tokens, characters or seconds. If absent, the quantity is the number of
   * credits.
   */
  units?: number;
  /** Resource, such as `rpc/ethereum-mainnet`. `detail` is, for example, the method. */
  resource: string;
  detail: string;
  requestId: string;
  replayBody: ReplayBody | null;
}

export type Admission =
  /** `remainingNanoUsd`: the caller's balances minus all holds. */
  | { outcome: 'admitted'; reservation: Reservation; remainingNanoUsd: number }
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

export type Refusal =
  | { reason: 'minute-cap' | 'credit-cap'; limit: number; remaining: number; resetAt: number }
  | { reason: 'collision'; kind: 'idempotency-key' | 'admission-lock' }
  | { reason: 'key-reused' | 'answer-not-kept' }
  | { reason: 'key-cap'; limit: number }
  | { reason: 'key-revoked' | 'key-expired' }
  | { reason: 'balance'; spendableNanoUsd: number }
  | { reason: 'key-limit'; currency: 'usd' | 'diem' | 'prepaid'; period: LimitPeriod };

/** Caps of the RPC proxy by tier; null for no cap. */
export interface MeterLimits {
  requestsPerMinute: Readonly<Record<Tier, number | null>>;
  creditsPerDay: Readonly<Record<Tier, number | null>>;
}
