import { expect, type Locator, type Page } from '@playwright/test';

/** The parts that surround every page of the console. */
export class Shell {
  readonly banner: Locator;
  /** Button with the payment method and its balance. */
  readonly payer: Locator;

  constructor(readonly page: Page) {
    this.banner = page.getByRole('region', { name: 'Profile' });
    this.payer = page
      .getByRole('banner')
      .getByRole('button', { name: /^(Pays:|Choose a payment method|Sign in again)/ });
  }

  async useKey(apiKey: string, { remember = false } = {}): Promise<void> {
    await this.payer.click();
    await this.page.getByLabel('Pay with another API key').fill(apiKey);
    if (remember) await this.page.getByLabel(/^Remember it/).check();
    await this.page.getByRole('button', { name: 'Pay with this key' }).click();
  }

  /** Enters a key that the gateway refuses, which must be confirmed. */
  async useRefusedKey(apiKey: string, options: { remember?: boolean } = {}): Promise<void> {
    await this.useKey(apiKey, options);
    await this.page.getByRole('button', { name: 'Use it all the same' }).click();
  }

  async forgetKey(): Promise<void> {
    await this.payer.click();
    await this.page.getByRole('button', { name: /^Forget it/ }).click();
    await this.page.keyboard.press('Escape');
  }

  async chooseTheme(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Theme/ }).click();
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  async search(text: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Search' });
    // The shortcut works only after hydration.
    await expect(async () => {
      await this.page.keyboard.press('Control+k');
      await expect(dialog).toBeVisible({ timeout: 1000 });
    }).toPass();
    await this.page.keyboard.type(text);
  }

  /** Returns the computed background color of the page. */
  ground(): Promise<string> {
    return this.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }
}
