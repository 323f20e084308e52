import type { Pool } from 'pg';
import { kindOfFailure } from '../../db/postgres/failure';
import type { AllocateRequest, Allocation } from '../meter';
import { storeUnavailable } from '../../db/postgres/store-unavailable';

interface AllocationRow {
  epoch: number;
  amount: number;
}

/** Daily allocations on Postgres: its clock says which epoch runs, and the caller's lock that it is fixed once. */
export class Allocations {
  constructor(
    private readonly pool: Pool,
    private readonly clock: (() => number) | null,
  ) {}

  /** What is fixed for the epoch that runs. @throws ApiError STORE_UNAVAILABLE */
  current(accountId: number): Promise<Allocation | null> {
    const text = `select a.epoch, a.amount from meters m join allocations a on a.account_id = m.account_id and a.epoch = m.diem_epoch
      where m.account_id = $1 and m.diem_epoch - coalesce($2::bigint, turnpike_now()) / 86400000 in (0, 1)`;
    return this.#ask({ name: 'turnpike_allocation', text, values: [accountId, this.clock?.() ?? null] });
  }

  /** Fixes it, unless it is fixed. @throws ApiError STORE_UNAVAILABLE */
  fix({ accountId, amountNanoUsd, staked, pool }: AllocateRequest): Promise<Allocation | null> {
    const text = 'select epoch, amount from turnpike_allocate($1, $2, $3, $4, $5)';
    return this.#ask({ name: 'turnpike_allocate', text, values: [accountId, amountNanoUsd, String(staked), String(pool), this.clock?.() ?? null] });
  }

  async #ask(query: { name: string; text: string; values: unknown[] }): Promise<Allocation | null> {
    try {
      const [row] = (await this.pool.query<AllocationRow>(query)).rows;
      return row ? { epoch: row.epoch, amountNanoUsd: row.amount } : null;
    } catch (error) {
      throw kindOfFailure(error) === 'refused' ? error : storeUnavailable(error);
    }
  }
}
