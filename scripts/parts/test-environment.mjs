import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The variable by which every process of a test run can be found. */
export const runMark = 'TURNPIKE_TEST_RUN';

// What an operator sets for a gateway of their own must not reach the tests.
const settings = /^(TURNPIKE_.*|RPC_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV|DATABASE_URL|PG[A-Z]+)$/;

/**
 * A folder and an environment for one test run.
 *
 * @param {Record<string, string | undefined>} [inherited]
 * @returns {{mark: string, folder: string, env: Record<string, string | undefined>, remove: () => void}}
 */
export function createTestEnvironment(inherited = process.env) {
  const mark = randomUUID();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turnpike-test-'));
  const kept = Object.entries(inherited).filter(([name]) => !settings.test(name));
  return {
    mark,
    folder,
    env: {
      ...Object.fromEntries(kept),
      [runMark]: mark,
      // Hundreds of processes load the same programs: what V8 made of one is there for the next.
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      NEXT_TELEMETRY_DISABLED: '1',
      ...(process.stdout.isTTY && !process.env.NO_COLOR && { FORCE_COLOR: '1' }),
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
