import { defineConfig } from '@playwright/test';
import base from '../../playwright.config';

/** Takes pictures with the tests' page objects. `npm run screenshots -- --gallery FOLDER` runs this. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: 'gallery.ts',
  outputDir: '../../test-results/gallery',
  reporter: 'line',
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
});
