import { describe } from 'vitest';
import type { MeterLimits } from '../metering/meter';
import type { MeteredStore } from './metered-store';
import { describeWithPostgres } from './postgres';
import { PostgresBooks } from './postgres-books';
import { SqliteBooks } from './sqlite-books';

/** Opens a meter on an empty store, with these limits or none. Closed with the test. */
export type OpenBooks = (limits?: MeterLimits) => Promise<MeteredStore>;

/** Tests that hold on SQLite and on Postgres. */
export function describeStores(name: string, tests: (open: OpenBooks) => void): void {
  describe(`${name}, on SQLite`, () => tests((limits) => SqliteBooks.open(limits)));
  describeWithPostgres(`${name}, on Postgres`, (server) => tests((limits) => PostgresBooks.open(server(), limits ? { limits } : {})));
}
