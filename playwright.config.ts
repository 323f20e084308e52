import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const BROWSERS = [
  process.env.CHROMIUM_PATH,
  process.env.PLAYWRIGHT_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = BROWSERS.find((path) => path !== undefined && path !== '' && existsSync(path));

const isCi = /^(1|true)$/i.test(process.env.CI ?? '');

/**
 * Browser tests of the console against a running sandbox at E2E_BASE_URL (`npm test` starts one). Uses the installed
 * Chromium, else Playwright's own.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // A test spends about half its time waiting for the page, so four workers use two processors.
  workers: 4,
  forbidOnly: isCi,
  retries: isCi ? 1 : 0,
  // Catches hangs, not slowness. On a busy machine an accessibility check takes a minute.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    // The target of an action appears within seconds or never, so waiting for the test's timeout is useless.
    actionTimeout: 60_000,
    baseURL: process.env.E2E_BASE_URL ?? 'http://localhost:3000',
    // Each test starts with empty storage and without listeners, routes or scripts of another test. The reused page
    // saves a quarter of the total time.
    reuseContext: true,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    // Animations cost an eighth of the tests' time. Tests of motion enable them.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Traces of passing tests would be discarded. `npx playwright test --trace on` keeps all traces.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        // Chromium refuses to run as root with its own sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // Test pages live for seconds, so their code never becomes hot. Optimizing it would take a tenth of the
        // renderer's time.
        '--js-flags=--no-maglev --no-opt --single-threaded-gc',
        '--num-raster-threads=1',
        '--in-process-gpu',
        // Pages that a worker opens one after another share a renderer, which keeps the scripts that it has compiled. A
        // new renderer for each page takes a sixth more processor time.
        '--process-per-site',
      ],
    },
  },
});
