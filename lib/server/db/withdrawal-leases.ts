import type { Database } from './schema';
import { OPEN_WITHDRAWALS, type Withdrawal } from './withdrawals';

/** Lists due open withdrawals. Those that have waited longest come first. */
export async function dueWithdrawals(db: Database, limit: number, now = Date.now()): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('state', 'in', OPEN_WITHDRAWALS)
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Leases an open withdrawal to one process for `forMs`. @returns null if another process holds the lease or the
 * withdrawal has ended
 */
export async function leaseWithdrawal(
  db: Database,
  id: string,
  owner: string,
  forMs: number,
  now = Date.now(),
): Promise<Withdrawal | null> {
  const leased = await db
    .updateTable('withdrawals')
    .set({ lease_owner: owner, lease_until: now + forMs })
    .where('id', '=', id)
    .where('state', 'in', OPEN_WITHDRAWALS)
    .where((row) =>
      row.or([row('lease_owner', 'is', null), row('lease_owner', '=', owner), row('lease_until', '<', now)]),
    )
    .returningAll()
    .executeTakeFirst();
  return leased ?? null;
}

/** Ends a lease. The next lookup is due at `nextLookAt`. */
export async function leaveWithdrawal(db: Database, id: string, owner: string, nextLookAt: number): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set((row) => ({ lease_owner: null, lease_until: 0, next_look_at: nextLookAt, looks: row('looks', '+', 1) }))
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Ends all leases. Call this only if no other process uses the database. */
export async function freeWithdrawals(db: Database, now = Date.now()): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set({ lease_owner: null, lease_until: 0, next_look_at: now })
    .where('state', 'in', OPEN_WITHDRAWALS)
    .execute();
}
