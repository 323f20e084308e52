import type { Awaitable, Caller, CallerDirectory } from '../auth/caller';
import type { LimitPeriod, Tier } from '../db/schema';
import type { ReplayBody } from './keeping';

/**
 * Metering: may they, and what does it cost. A paid call reserves the most it can cost, in the same step that
 * checks limits and balance; settling charges what it did cost and frees the rest. Nothing is answered before
 * its charge is committed, and a process that dies in between leaves no charge.
 */
export interface Meter extends CallerDirectory {
  /** What the caller could spend at most, in nano-USD: its pots less what is reserved. As current as a key; 0 is current. */
  spendable(caller: Caller, options?: { willReserve: boolean }): Awaitable<number>;
  /** Holds from now on to these caps, with what was counted before. */
  takeLimits(limits: MeterLimits): void;
  /** Admits a call or says why not, and what it may use at most. */
  reserve(request: ReserveRequest): Awaitable<Admission>;
  /**
   * Charges a reservation. Resolves once the charge is committed, with what the caller's purse has after it.
   * @throws ChargeRefused where a deferrable call is admitted only now, and is not: its answer must not go out.
   */
  settle(reservation: Reservation, charge: Charge): Promise<Settled>;
  /**
   * Keeps the reservation of a long call alive, and notes what the call came to so far: that is charged if the process
   * dies before it settles. Settled or released before: no effect.
   */
  checkpoint(reservation: Reservation, charge: Charge): Awaitable<void>;
  /** Frees a reservation without charge. Settled or released before: no effect. */
  release(reservation: Reservation): Awaitable<void>;
  /** The terms of a key have changed: what this process knew of it is looked up anew. Others may go on by the old ones for a minute. */
  keyChanged(keyId: number): void;
  /** The daily allocation that may be spent now, null where none is fixed for this epoch. Current. */
  allocation(accountId: number): Awaitable<Allocation | null>;
  /**
   * Fixes the daily allocation of the epoch that runs, in one transaction with the expiry of what was left of the epoch
   * before. Once an epoch is fixed it stays: whoever comes later, in any process, gets what was fixed.
   */
  allocate(request: AllocateRequest): Promise<Allocation | null>;
  close(): Awaitable<void>;
}

export interface Settled {
  /** What the caller's purse has, in nano-USD, what its running calls hold included. */
  remainingNanoUsd: number;
  /** The call had an idempotency key, and there was no room to keep its answer: only that it was made and charged is known of it. */
  isUnkept?: true;
}

/** A daily allocation, by the day of UTC since 1970 that it is for. */
export interface Allocation {
  epoch: number;
  amountNanoUsd: number;
}

export interface AllocateRequest {
  accountId: number;
  /** More than nothing. */
  amountNanoUsd: number;
  /** What it follows from, in base units of the token, for the record. */
  staked: bigint;
  pool: bigint;
}

export interface ReserveRequest {
  caller: Caller;
  /** The key's hash, so that a revocation since authentication is seen; null for wallet callers. */
  keyHash: string | null;
  maxNanoUsd: number;
  maxCredits: number;
  /** Not one of the RPC proxy's requests, whose caps it neither counts toward nor is refused for. */
  uncapped?: boolean;
  /**
   * The call changes nothing anywhere, and nobody sees its answer before it is charged: so it may be made first, and
   * admitted when it is charged. Only done for callers who are far from every limit.
   */
  deferrable?: boolean;
  idempotency: { key: string; fingerprint: string } | null;
  now: number;
}

/** An admitted call. Opaque to endpoints: only the meter that made it reads it. */
export interface Reservation {
  readonly request: ReserveRequest;
}

export interface Charge {
  amountNanoUsd: number;
  /** Counted by the rolling cap of the RPC proxy, and by it alone. */
  credits: number;
  /** How much was bought, in what its resource is sold by: tokens, characters, seconds. Credits where it is absent. */
  units?: number;
  /** What was bought, such as `rpc/ethereum-mainnet`, and in which form, such as the method. */
  resource: string;
  detail: string;
  requestId: string;
  /** The answer to keep for replays, where the call had an idempotency key. */
  replayBody: ReplayBody | null;
}

export type Admission =
  /** `remainingNanoUsd`: what the caller's purse has beside everything that is held of it. */
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

/** Caps of the RPC proxy by tier; null for none. */
export interface MeterLimits {
  requestsPerMinute: Readonly<Record<Tier, number | null>>;
  creditsPerDay: Readonly<Record<Tier, number | null>>;
}
