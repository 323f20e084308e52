/** The databases of the store. */
export type StoreDialect = 'sqlite' | 'postgres';

/** Where the two spell one thing differently: the type of an id that the database gives, of one that refers to it, and of bytes. */
export const COLUMN_TYPES = {
  sqlite: { id: 'integer', bytes: 'blob' },
  postgres: { id: 'bigint', bytes: 'bytea' },
} as const satisfies Record<StoreDialect, unknown>;
