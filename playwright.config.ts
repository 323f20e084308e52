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
 * Tests of the console in a browser, against a running sandbox at E2E_BASE_URL (`npm test` starts one). The
 * browser is the installed Chromium; without one, Playwright's own.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // A test waits for its page about as long as it keeps a processor busy: four fill two processors.
  workers: 4,
  forbidOnly: isCi,
  // `npm test` names what needed the second attempt.
  retries: isCi ? 1 : 0,
  // Bounds for what hangs, not for what is slow: a busy machine takes a minute for an accessibility check.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    // What a test acts on is there within seconds, or never comes: then it is named long before the test's own bound.
    actionTimeout: 60_000,
    baseURL: process.env.E2E_BASE_URL ?? 'http://localhost:3000',
    // Each test begins with empty storage and no listeners, routes or scripts of another, but in a page that is warm:
    // a context and a renderer of its own cost a quarter of the time of all tests.
    reuseContext: true,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    // Somebody who asked for less motion: frames of what fades and pulses are an eighth of what these tests cost. Tests
    // of what keeps still ask for motion themselves.
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Not of every test, most of which would be thrown away; `npx playwright test --trace on` has them all.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        // Chromium refuses to run as root inside its own sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // A page of a test lives for seconds: a tenth of what its renderer does would be to compile code that is never
        // hot, on threads that two processors do not have.
        '--js-flags=--no-maglev --no-opt --single-threaded-gc',
        '--num-raster-threads=1',
        '--in-process-gpu',
      ],
    },
  },
});
