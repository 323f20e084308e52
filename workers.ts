import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFailureExitCode } from './lib/server/config/faults';
import { loadConfig } from '@/lib/server/config/load';
import { workerCount } from '@/lib/server/config/workers';
import { superviseWorkers } from '@/lib/server/http/worker-processes';

/**
 * Entry that can use all processor cores. A stateless primary process distributes connections among processes of
 * `server.mjs`. Workers count usage in the shared Postgres, so caps and balances are exact across all workers.
 */
try {
  const exec = join(dirname(fileURLToPath(import.meta.url)), 'server.mjs');
  superviseWorkers({ exec, count: workerCount(loadConfig(), availableParallelism()) });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(startFailureExitCode(error));
}
