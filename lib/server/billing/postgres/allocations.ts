import type { Pool } from 'pg';
import { kindOfFailure, storeUnavailable } from '../../db/postgres/failure';
import type { AllocateRequest, Allocation } from '../meter';

interface AllocationRow {
  epoch: number;
  amount: number;
}

/** Daily allocations on Postgres. The database's clock determines the epoch. */
export class Allocations {
  constructor(
    private readonly pool: Pool,
    private readonly clock: (() => number) | null,
  ) {}

  /**
   * Returns the current allocation. Sets it first, unless another gateway already has.
   * @throws ApiError STORE_UNAVAILABLE
   */
  async fix({ accountId, amountNanoUsd, staked, pool }: AllocateRequest): Promise<Allocation | null> {
    const text = 'select epoch, amount from turnpike_allocate($1, $2, $3, $4, $5)';
    try {
      const values = [accountId, amountNanoUsd, String(staked), String(pool), this.clock?.() ?? null];
      const [row] = (await this.pool.query<AllocationRow>({ name: 'turnpike_allocate', text, values })).rows;
      return row ? { epoch: row.epoch, amountNanoUsd: row.amount } : null;
    } catch (error) {
      throw kindOfFailure(error) === 'refused' ? error : storeUnavailable(error);
    }
  }
}
