import { type RawBuilder, sql } from 'kysely';
import type { Pot } from '../db/schema';

/** Part of the ledger in which checks have found no faults. */
export interface LedgerProof {
  /** All rows up to this id were checked. `ledger_proofs` has the last checked row of each account. */
  throughId: number;
  archiveId: number;
  /** Start of the check, Unix milliseconds. */
  at: number;
}

/** Rows that a check reads, and the proven balances before those rows. */
export interface LedgerScope {
  /** Proof after which the check begins; null to check the whole ledger. */
  since: LedgerProof | null;
  /** SQL of a table with the rows that the check reads. */
  rows: RawBuilder<unknown>;
  /** SQL of a table with each account's proven balances. */
  proofs: RawBuilder<unknown>;
}

export const WHOLE: LedgerScope = {
  since: null,
  rows: sql`ledger`,
  proofs: sql`(select * from ledger_proofs where 1 = 0)`,
};

/** `+ 0` prevents SQLite from reading the whole index of accounts when a check groups by account. */
const COLUMNS = sql`l.id, l.account_id + 0 as account_id, l.pot, l.kind, l.amount, l.balance_after, l.created_at`;

/**
 * Returns the rows after the last proof, and all rows of accounts without proof. CROSS JOIN forces SQLite's join order.
 */
export function rowsSince(since: LedgerProof, unproven: readonly number[]): LedgerScope {
  const newer = sql`
    select ${COLUMNS} from ledger l cross join ledger_proofs p
     where l.id > ${sql.lit(since.throughId)} and p.account_id = l.account_id and l.id > p.through_id`;
  const others = sql`
    select ${COLUMNS} from ledger l where l.account_id in (${sql.join(unproven.map((id) => sql.lit(id)))})`;
  return {
    since,
    rows: unproven.length === 0 ? sql`(${newer})` : sql`(${newer} union all ${others})`,
    proofs: sql`ledger_proofs`,
  };
}

/** Returns SQL for a balance in the row `p` of `proofs`, or for 0 if there is no such row. */
export function provenBalance(pot: Pot): RawBuilder<number> {
  return sql`coalesce(p.${sql.ref(pot)}, 0)`;
}
