import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Three projects. `unit`: the tests beside the code. `contract`: the suite that
 * starts a whole gateway and speaks HTTP to it, through the door that
 * CONTRACT_DOOR names (`fast` or `next`). `payments`: official x402 clients,
 * bad payments and kill -9, on a gateway in the test's own process.
 */
export default defineConfig({
  root,
  plugins: [{ name: 'sql-as-text', transform: (text, file) => (file.endsWith('.sql') ? `export default ${JSON.stringify(text)};` : undefined) }],
  resolve: { alias: { '@': root.replace(/\/$/, '') } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{app,attack,bench,commands,components,contracts,lib,scripts}/**/*.test.{ts,tsx,mjs}', '*.test.ts'],
          environment: 'node',
          // Files share their worker's modules, which take longer to load than most files to run; a file that
          // changes a module for itself, or the process, takes that back.
          isolate: false,
          maxWorkers: 2,
          // Machines that are busy with others' work are no faults of ours.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['e2e/api/**/*.test.ts'],
          environment: 'node',
          // The files share one gateway's chains and this machine's cores.
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'payments',
          include: ['e2e/payments/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
