import type { StakeReader } from '../billing/allocation/stake-reader';

/** Who only looks may be told what was so half a minute ago. */
const FRESH_MS = 30_000;
const NOBODY = '0x0000000000000000000000000000000000000000';

/** All that is staked for daily allocations, in base units of the token. */
export interface StakedByAll {
  total: bigint;
  decimals: number;
}

/** Reads the total of the pool once in half a minute, for all who ask. A read that failed is not kept. */
export class PoolTotal {
  #reading: Promise<StakedByAll> | null = null;
  #startedAt = 0;

  constructor(
    private readonly stake: Pick<StakeReader, 'dailyCreditStake'>,
    private readonly now: () => number,
  ) {}

  /** @throws ChainUnavailable where the chain does not answer. */
  read(): Promise<StakedByAll> {
    const now = this.now();
    if (this.#reading !== null && now - this.#startedAt < FRESH_MS) return this.#reading;
    const reading = this.stake.dailyCreditStake(NOBODY).then(({ total, decimals }) => ({ total, decimals }));
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    this.#reading = reading;
    this.#startedAt = now;
    return reading;
  }
}
