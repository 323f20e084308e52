import type { Withdrawal } from '../../db/withdrawals';
import type { Finding, SettleHooks } from '../rail';
import type { RailTerms } from '../rail-terms';

/** Signed transfer to a wallet, not sent yet. It can be executed once, until it expires. */
export interface SignedPayout {
  /** Signed content as JSON, enough to submit the transfer again. */
  content: string;
  /** Block before which it was not executed. */
  fromHeight: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** One way to pay out money: the reverse of a rail. */
export interface Payout {
  readonly terms: RailTerms;
  /** Returns the base units that the paying key has. @throws ChainUnreachable */
  funds(): Promise<bigint>;
  /** Signs a transfer. Sends nothing. @throws ChainUnreachable */
  sign(to: string, units: bigint): Promise<SignedPayout>;
  /** Submits a recorded transfer. The result proves nothing, so call `look` afterwards. */
  submit(withdrawal: Withdrawal, hooks: SettleHooks): Promise<void>;
  /** Looks a transfer up. It is `paid` or `impossible` only if no later block can change that. */
  look(withdrawal: Withdrawal): Promise<Finding>;
}
