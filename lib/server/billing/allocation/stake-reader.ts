import type { Address } from 'viem';

/**
 * What wallets have staked, as the chains say at this moment. Every read is bounded in time, and each method rejects
 * with {@link ChainUnavailable} where a chain whose answer matters did not give one: silence never counts as zero.
 */
export interface StakeReader {
  /**
   * Whether a wallet has staked the stake token in any configured deployment: true as soon as one of them says so,
   * false only if all of them answered zero.
   */
  holdsStake(address: Address): Promise<boolean>;

  /** What a wallet has staked of the daily-credit token in the primary deployment. */
  dailyCreditStake(address: Address): Promise<DailyCreditStake>;
}

/** A wallet's part in the daily-credit pool, in base units of the token. What is being unstaked is in neither number. */
export interface DailyCreditStake {
  staked: bigint;
  /** Of all wallets together. */
  total: bigint;
  decimals: number;
}

/** A chain did not answer, in time or at all: try again later. It says nothing about what is on the chain. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}
