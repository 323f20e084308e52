import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, TestPostgres } from './test-postgres';

/** Making a cluster or a copy of one and starting its server, on a machine that may be busy with others. */
const START_TIMEOUT_MS = 60_000;
/** Each test makes databases. */
const TEST_TIMEOUT_MS = 30_000;

/**
 * Tests that need Postgres: one server for all of them, started before the first and removed after the last. Skipped,
 * and counted as skipped, where none is installed.
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
