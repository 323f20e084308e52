/**
 * Makes the README's picture of the console, docs/images/rpc-light.png, from a running sandbox at E2E_BASE_URL.
 * `npm run screenshots` starts one and calls this.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

const target = fileURLToPath(new URL('../docs/images/rpc-light.png', import.meta.url));
const baseURL = process.env.E2E_BASE_URL ?? 'http://localhost:3000';
const browsers = [
  process.env.CHROMIUM_PATH,
  process.env.PLAYWRIGHT_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];
const executablePath = browsers.find((path) => path && existsSync(path));

const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage({
    baseURL,
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 2,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto('/rpc?network=ethereum-mainnet&method=eth_getBlockByNumber&params=%5B%22latest%22%2Cfalse%5D');
  await page.getByRole('textbox', { name: 'JSON-RPC request' }).hover();
  await page.locator('.cm-content').waitFor();
  const send = page.getByRole('button', { name: /^Send/ }).filter({ visible: true });
  const result = page.getByRole('region', { name: 'Answer' }).getByText('result:');
  // The first call starts the chain; the picture shows a running one.
  await send.click();
  await result.waitFor({ timeout: 60_000 });
  await send.click();
  await result.waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return document.fonts.ready;
  });
  mkdirSync(dirname(target), { recursive: true });
  await page.screenshot({ path: target });
} finally {
  await browser.close();
}
