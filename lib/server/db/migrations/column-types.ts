export type StoreDialect = 'sqlite' | 'postgres';

/** Column types that differ between SQLite and Postgres: generated id, reference, bytes. */
export const COLUMN_TYPES = {
  sqlite: { id: 'integer', bytes: 'blob' },
  postgres: { id: 'bigint', bytes: 'bytea' },
} as const satisfies Record<StoreDialect, unknown>;
