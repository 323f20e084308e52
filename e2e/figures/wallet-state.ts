import type { Browser, BrowserContext } from '@playwright/test';

/** Browser storage of a site. */
export type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Connects the sandbox's demo wallet through the page, and returns the resulting browser storage. */
export async function connectedWalletState(browser: Browser, baseUrl: string): Promise<StoredState> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(baseUrl, { waitUntil: 'networkidle' });
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^(Pays:|Choose a payment method)/ })
      .click();
    await page
      .getByRole('dialog', { name: 'Payment method' })
      .getByRole('button', { name: /^Connect wallet/ })
      .click();
    const family = page
      .getByRole('dialog', { name: 'Wallets' })
      .getByRole('region', { name: 'Ethereum and EVM chains' });
    await family.getByRole('button', { name: /demo/i }).click();
    await family.getByRole('button', { name: 'Disconnect' }).waitFor();
    return await context.storageState();
  } finally {
    await context.close();
  }
}
