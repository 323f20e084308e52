import type { Refusal } from '../meter';

/** A row of the type turnpike_call: what the database function is asked. Absent columns are null there. */
export interface CallRow {
  /**
   * A `hold` is a reservation that the caps of the RPC proxy do not concern; a `note` is what a running call came to so
   * far; a `charge` admits and settles a call that has been made.
   */
  kind: 'reserve' | 'hold' | 'settle' | 'charge' | 'note' | 'release';
  account_id: number;
  /** Made by the gateway, so that an attempt whose answer was lost can be recognised. */
  reservation: string;
  /** Unix milliseconds; null for the database's own clock. */
  at: number | null;
  purse?: string;
  key_hash?: string | null;
  api_key_id?: number | null;
  amount?: number;
  credits?: number;
  /** What the ledger counts, where that is not the credits. */
  units?: number;
  lease_ms?: number;
  /** How many bytes of answers the caller may have kept with this one; null where there is no answer to keep. */
  keep_bytes?: number | null;
  idempotency_key?: string | null;
  fingerprint?: string | null;
  resource?: string;
  detail?: string;
  request_id?: string;
}

/** What the function says of a call. `contended`: another transaction holds the caller's meter, nothing was done. */
export type CallOutcome =
  /** What the purse has left, after reserves and settles. */
  | { outcome: 'admitted'; remainingNanoUsd: number }
  /** And how much a call may cost that is made before it is admitted, where that was said. */
  | { outcome: 'settled'; remainingNanoUsd: number; roomNanoUsd?: number; isUnkept?: true }
  | { outcome: 'released' | 'noted' | 'gone' | 'contended' }
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

/** A call that waits for its turn, or for its answer. */
export interface MeterCall {
  readonly row: CallRow;
  /** The answer to keep for replays. */
  readonly body: Uint8Array | null;
  /** Milliseconds of the monotonic clock at which it was first asked. */
  readonly askedAt: number;
  attempts: number;
  /** A statement with it was lost: nobody knows whether it took effect. */
  mayHaveRun: boolean;
  resolve(outcome: CallOutcome): void;
  reject(error: Error): void;
}

/** Whether a call asks to be admitted, rather than to be charged or freed. */
export function isAdmission({ kind }: CallRow): boolean {
  return kind === 'reserve' || kind === 'hold';
}

/** Whether a call is charged by this, so that it has to be on disk. */
export function isCharge({ kind }: CallRow): boolean {
  return kind === 'settle' || kind === 'charge';
}
