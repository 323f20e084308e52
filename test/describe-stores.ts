import { describe } from 'vitest';
import type { IdempotencyConfig } from '@/lib/server/config/idempotency';
import type { MeterLimits } from '@/lib/server/billing/meter';
import type { MeteredStore } from './metered-store';
import { describeWithPostgres } from './postgres';
import { PostgresBooks } from './postgres-books';
import { SqliteBooks } from './sqlite-books';

/**
 * Opens a meter on an empty store and closes it at the end of the test. Limits and the stored size of answers are
 * optional.
 */
export type OpenBooks = (limits?: MeterLimits, keeping?: IdempotencyConfig) => Promise<MeteredStore>;

/** Runs tests on both SQLite and Postgres. */
export function describeStores(name: string, tests: (open: OpenBooks) => void): void {
  describe(`${name}, on SQLite`, () => tests((limits, keeping) => SqliteBooks.open(limits, { keeping })));
  describeWithPostgres(`${name}, on Postgres`, (server) =>
    tests((limits, keeping) =>
      PostgresBooks.open(server(), { ...(limits && { limits }), ...(keeping && { keeping }) }),
    ),
  );
}
