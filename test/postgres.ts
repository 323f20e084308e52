import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, TestPostgres } from './test-postgres';

/** Maximum time to create or copy a cluster and start its server, on a busy machine. */
const START_TIMEOUT_MS = 60_000;
/** Long, because each test creates databases. */
const TEST_TIMEOUT_MS = 30_000;

/**
 * Runs tests that need Postgres, with one server for all of them. Skips them if Postgres is not installed, and counts
 * them as skipped.
 */
export function describeWithPostgres(name: string, tests: (server: () => TestPostgres) => void): void {
  describe.skipIf(findPostgres() === null)(name, { timeout: TEST_TIMEOUT_MS }, () => {
    let server: TestPostgres | undefined;
    beforeAll(async () => {
      server = await TestPostgres.startCopy();
    }, START_TIMEOUT_MS);
    afterAll(() => server?.remove());
    tests(() => {
      if (!server) throw new Error('The server is there within tests only.');
      return server;
    });
  });
}
