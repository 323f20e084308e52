import type { Browser, BrowserContext } from '@playwright/test';

/** What a browser keeps of a site between two visits. */
export type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Connects the sandbox's demo wallet as a person does, and gives what the browser has stored then. */
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
