import type { Address } from 'viem';

/**
 * Reads wallets' stakes from the chains. Rejects with {@link ChainUnavailable} if a required chain does not answer in
 * time.
 */
export interface StakeReader {
  /** Returns whether a wallet has staked in any deployment. False only if all deployments answered zero. */
  holdsStake(address: Address): Promise<boolean>;

  /** Returns a wallet's stake of the daily-credit token in the primary deployment. */
  dailyCreditStake(address: Address): Promise<DailyCreditStake>;
}

/** Stake in the daily-credit pool, in base units of the token. Does not include tokens that are being unstaked. */
export interface DailyCreditStake {
  staked: bigint;
  total: bigint;
  decimals: number;
}

/** Thrown if a chain does not answer in time, so that the stake is unknown. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}
