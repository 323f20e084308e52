import type { Database } from '../../db/schema';

export interface KeyName {
  id: number;
  last6: string;
  description: string;
}

/** Returns the names of an account's keys by id. Includes revoked and expired keys, because their charges remain. */
export async function nameKeys(db: Database, accountId: number): Promise<ReadonlyMap<number, KeyName>> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'last6', 'description'])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
