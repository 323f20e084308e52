import { defineConfig, devices } from '@playwright/test';

/**
 * The browser tests. `npm test` starts a sandbox gateway on fresh data, says where it is by E2E_BASE_URL, and
 * names the browser by CHROMIUM_PATH. By hand: `npm start` in one terminal, `npx playwright test` in another.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  forbidOnly: Boolean(process.env.CI),
  // The tests share the chains of one sandbox, and a test that needs a second try is not to be trusted.
  workers: 1,
  retries: 0,
  timeout: 30_000,
  use: {
    ...devices['Desktop Chrome'],
    baseURL: process.env.E2E_BASE_URL || 'http://localhost:3000',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH || undefined },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
