import type { Database } from '../../db/schema';

/** A key as people know it. */
export interface KeyName {
  id: number;
  last6: string;
  /** What its owner called it; may be empty. */
  description: string;
}

/** The names of all keys of an account, revoked and expired ones too, by id: their charges stay. */
export async function nameKeys(db: Database, accountId: number): Promise<ReadonlyMap<number, KeyName>> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'last6', 'description'])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
