import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { chosenEntry, filesAt } from './e2e/api/harness/entries.ts';
import { WaitingFirst } from './e2e/api/harness/waiting-first.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** In CI alone; `npm test` names what needed the second. Payments get none: there, what fails once in a hundred is a finding about money. */
const retry = /^(1|true)$/i.test(process.env.CI ?? '') ? 1 : 0;

/**
 * Three projects. `unit`: the tests beside the code. `contract`: the suite that
 * starts a whole gateway and speaks HTTP to it, through the entry that
 * CONTRACT_ENTRY names (`fast` or `next`) and on the store of CONTRACT_STORE, of
 * each file what it declares for that entry, or all with CONTRACT_FULL=1. `payments`: official x402 clients,
 * bad payments and kill -9, on a gateway in the test's own process.
 */
export default defineConfig({
  root,
  plugins: [
    {
      name: 'sql-as-text',
      transform: (text, file) => (file.endsWith('.sql') ? `export default ${JSON.stringify(text)};` : undefined),
    },
  ],
  resolve: { alias: { '@': root.replace(/\/$/, '') } },
  test: {
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{agents,app,attack,bench,commands,components,contracts,faults,lib,packages,scripts}/**/*.test.{ts,tsx,mjs}',
            'e2e/**/harness/*.test.ts',
            '*.test.ts',
          ],
          environment: 'node',
          // Files share their worker's modules, which take longer to load than most files to run; a file that
          // changes a module for itself, or the process, takes that back.
          isolate: false,
          // A third of the time a worker waits, for a clock or a process, in the largest files, which run first, for half of
          // it: four fill two processors (2 min 53 s, against 3 min 23 s with three).
          maxWorkers: 4,
          // Machines that are busy with others' work are no faults of ours.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: filesAt(chosenEntry(), root, 'e2e/api'),
          environment: 'node',
          // As for units: no file changes a module for itself.
          isolate: false,
          // Each waits for its gateway and for clocks nearly as long as it has them work.
          maxWorkers: 3,
          // What only waits for a connection to be cut off waits together.
          maxConcurrency: 16,
          // Bounds for what hangs, not for what is slow.
          testTimeout: 90_000,
          hookTimeout: 300_000,
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'payments',
          include: ['e2e/payments/**/*.test.ts'],
          environment: 'node',
          // Each file has chains of its own, for whose blocks it waits; the gateways that one kills start again in bounded time.
          maxWorkers: 2,
          // As of the contract, beside which they run.
          testTimeout: 90_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
