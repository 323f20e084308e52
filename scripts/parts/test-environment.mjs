import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Environment variable that marks every process of a test run. */
export const runMark = 'TURNPIKE_TEST_RUN';

// Variables to remove from the environment, so that an operator's settings for another gateway do not reach the tests.
const settings = /^(TURNPIKE_.*|RPC_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV|DATABASE_URL|PG[A-Z]+)$/;

/**
 * Creates a temporary folder and an environment for one test run.
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
      // Hundreds of processes load the same programs, so they share the code that V8 has compiled.
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      // All stages share the transformed sources.
      TRANSFORMED_MODULES: path.join(folder, 'modules'),
      NEXT_TELEMETRY_DISABLED: '1',
      ...(process.stdout.isTTY && !process.env.NO_COLOR && { FORCE_COLOR: '1' }),
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
