import type { Refusal } from '../meter';

/** Row of the SQL type turnpike_call, the database function's argument. The function reads absent columns as null. */
export interface CallRow {
  /**
   * `hold`: a reservation outside the RPC proxy's caps. `note`: a checkpoint. `charge`: admits and settles a finished
   * call.
   */
  kind: 'reserve' | 'hold' | 'settle' | 'charge' | 'note' | 'release';
  account_id: number;
  /** Chosen by the gateway, so that the database recognises a retry whose first answer was lost. */
  reservation: string;
  /** Unix milliseconds; null for the database's own clock. */
  at: number | null;
  purse?: string;
  key_hash?: string | null;
  api_key_id?: number | null;
  amount?: number;
  credits?: number;
  /** Units for the ledger, if they differ from the credits. */
  units?: number;
  lease_ms?: number;
  /** Limit of the caller's stored bytes, this answer included; null without an answer. */
  keep_bytes?: number | null;
  idempotency_key?: string | null;
  fingerprint?: string | null;
  resource?: string;
  detail?: string;
  request_id?: string;
}

/** Outcome of a call. `contended`: another transaction has locked the meter row, and nothing was done. */
export type CallOutcome =
  /** `remainingNanoUsd`: the caller's balances after holds and charges. */
  | { outcome: 'admitted'; remainingNanoUsd: number }
  /** `roomNanoUsd`: largest cost of a later call that runs before admission, if known. */
  | { outcome: 'settled'; remainingNanoUsd: number; roomNanoUsd?: number; isUnkept?: true }
  | { outcome: 'released' | 'noted' | 'gone' | 'contended' }
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

export interface MeterCall {
  readonly row: CallRow;
  readonly body: Uint8Array | null;
  readonly askedAt: number;
  attempts: number;
  /** True if a statement with this call was lost and may have taken effect. */
  mayHaveRun: boolean;
  /** True for a release that is retried while the database is unreachable. */
  readonly insists?: true;
  resolve(outcome: CallOutcome): void;
  reject(error: Error): void;
}

export function isAdmission({ kind }: CallRow): boolean {
  return kind === 'reserve' || kind === 'hold';
}

/** Returns whether a call charges, so that its commit must be durable. */
export function isCharge({ kind }: CallRow): boolean {
  return kind === 'settle' || kind === 'charge';
}
