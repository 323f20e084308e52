import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { chosenEntry, filesAt } from './e2e/api/harness/entries.ts';
import { WaitingFirst } from './e2e/api/harness/waiting-first.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Retries only in CI. `npm test` lists the tests that needed a retry. Payment tests never retry, because a rare failure
 * may be a fault with money.
 */
const retry = /^(1|true)$/i.test(process.env.CI ?? '') ? 1 : 0;

/** A folder that the stages of one `npm test` share. Without it, nothing is kept, so nothing can be out of date. */
const modules = process.env.TRANSFORMED_MODULES;

/**
 * Three projects. `unit` has the tests next to the code. `contract` has HTTP tests of a complete gateway, through the
 * entry that CONTRACT_ENTRY names (`fast` or `next`) and on the database that CONTRACT_STORE names. `contract` runs
 * only the tests that are declared for that entry; with CONTRACT_FULL=1, it runs all. `payments` has official x402
 * clients, invalid payments and kill -9, against a gateway in the test's process.
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
    experimental: { ...(modules && { fsModuleCache: true, fsModuleCachePath: modules }) },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{agents,app,attack,bench,components,contracts,faults,lib,packages,scripts}/**/*.test.{ts,tsx,mjs}',
            'e2e/**/harness/*.test.ts',
            '*.test.ts',
          ],
          environment: 'node',
          // Files share a worker's modules, because loading them takes longer than running most files. A file that
          // mocks a module or changes the process must restore it.
          isolate: false,
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
          // No file mocks a module.
          isolate: false,
          // Tests that only wait for a cut connection can wait together.
          maxConcurrency: 16,
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
          testTimeout: 90_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
