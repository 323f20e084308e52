/**
 * Takes the README's pictures of the console, docs/images/rpc-light.png and privacy-light.png, from a running sandbox
 * at E2E_BASE_URL. `npm run screenshots` starts one and calls this.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
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
  // The first call starts the chain, and the picture shows the chain running.
  await send.click();
  await result.waitFor({ timeout: 60_000 });
  await send.click();
  await result.waitFor();
  await picture('rpc-light.png', page);

  await page.goto('/chat');
  const picker = page.getByRole('button', { name: /^Model(:|$)/ });
  await picker.click();
  await page
    .getByRole('option')
    .filter({ hasText: /^e2ee-guide/ })
    .click();
  await page.getByLabel('Your question').fill('Who can read my question?');
  await page.locator('form button[type=submit]').filter({ visible: true }).click();
  await page.getByText('signature verified').waitFor({ timeout: 60_000 });
  await page
    .getByRole('button', { name: /^Privacy: / })
    .first()
    .click();
  await page.getByRole('region', { name: 'Privacy', exact: true }).waitFor();
  await picture('privacy-light.png', page);
} finally {
  await browser.close();
}

/**
 * @param {string} name
 * @param {import('@playwright/test').Page} page
 */
async function picture(name, page) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return document.fonts.ready;
  });
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, name) });
}
