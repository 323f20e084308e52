import type { StakeReader } from '../billing/allocation/stake-reader';

const FRESH_MS = 30_000;
const NOBODY = '0x0000000000000000000000000000000000000000';

interface StakedByAll {
  total: bigint;
  decimals: number;
}

/** Reads the total stake at most every 30 seconds for all callers. Does not cache failures. */
export class PoolTotal {
  #reading: Promise<StakedByAll> | null = null;
  #startedAt = 0;

  constructor(
    private readonly stake: Pick<StakeReader, 'dailyCreditStake'>,
    private readonly now: () => number,
  ) {}

  /** @throws ChainUnavailable if the chain does not answer */
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
