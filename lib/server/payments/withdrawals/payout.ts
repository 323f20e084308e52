import type { Withdrawal } from '../../db/withdrawals';
import type { Finding, SettleHooks } from '../rail';
import type { RailTerms } from '../rail-terms';

/** Signed transfer to a wallet, not sent yet. The chain executes the transfer at most once. */
export interface SignedPayout {
  /** Signed content as JSON. It is enough to submit the transfer again. */
  content: string;
  /** Block before which the transfer cannot have been executed. */
  fromHeight: number;
  /** Unix milliseconds. Until this time, a transfer that can no longer execute is replaced by a new one. */
  expiresAt: number;
}

/**
 * Result of looking up a withdrawal. `lapsed` means that the transfer was not executed and never will be, so another
 * transfer may replace it.
 */
export type PayoutFinding = Finding | { outcome: 'lapsed'; reason: string };

/** A way to pay out money: the reverse of a rail. */
export interface Payout {
  readonly terms: RailTerms;
  /**
   * Returns the base units that the paying key's account has.
   * @throws ChainUnreachable
   */
  funds(): Promise<bigint>;
  /**
   * Signs a transfer. Sends nothing.
   *
   * @param identity the withdrawal's identity, from which all its transfers can be recognized
   * @throws ChainUnreachable, or InvalidWithdrawal if the wallet cannot receive
   */
  sign(to: string, units: bigint, identity: string): Promise<SignedPayout>;
  /** Submits a recorded transfer. Neither success nor an error proves anything, so call `look` afterwards. */
  submit(withdrawal: Withdrawal, hooks: SettleHooks): Promise<void>;
  /** Looks up a transfer. The result is `paid`, `impossible` or `lapsed` only if no later block can change it. */
  look(withdrawal: Withdrawal): Promise<PayoutFinding>;
}
