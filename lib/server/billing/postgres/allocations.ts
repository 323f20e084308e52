import type { Pool } from 'pg';
import { kindOfFailure, storeUnavailable } from '../../db/postgres/failure';
import type { AllocateRequest, Allocation } from '../meter';
import { isCurrentEpoch } from '../rules/epoch';

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

  /** @throws ApiError STORE_UNAVAILABLE */
  async current(accountId: number): Promise<Allocation | null> {
    const text = `select a.epoch, a.amount, coalesce($2::bigint, turnpike_now()) as now
      from meters m join allocations a on a.account_id = m.account_id and a.epoch = m.diem_epoch where m.account_id = $1`;
    const row = await this.#ask<AllocationRow & { now: number }>({
      name: 'turnpike_allocation',
      text,
      values: [accountId, this.clock?.() ?? null],
    });
    return row && isCurrentEpoch(row.epoch, row.now) ? allocationOf(row) : null;
  }

  /**
   * Returns the current allocation. Fixes it first, unless another gateway already has.
   * @throws ApiError STORE_UNAVAILABLE
   */
  async fix({ accountId, amountNanoUsd, staked, pool }: AllocateRequest): Promise<Allocation | null> {
    const text = 'select epoch, amount from turnpike_allocate($1, $2, $3, $4, $5)';
    const row = await this.#ask<AllocationRow>({
      name: 'turnpike_allocate',
      text,
      values: [accountId, amountNanoUsd, String(staked), String(pool), this.clock?.() ?? null],
    });
    return row && allocationOf(row);
  }

  async #ask<Row extends AllocationRow>(query: { name: string; text: string; values: unknown[] }): Promise<Row | null> {
    try {
      const [row] = (await this.pool.query<Row>(query)).rows;
      return row ?? null;
    } catch (error) {
      throw kindOfFailure(error) === 'refused' ? error : storeUnavailable(error);
    }
  }
}

function allocationOf({ epoch, amount }: AllocationRow): Allocation {
  return { epoch, amountNanoUsd: amount };
}
