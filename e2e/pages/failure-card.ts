import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';

/** The card of a failed call. */
export class FailureCard {
  readonly card: Locator;
  readonly topUp: Locator;

  constructor(readonly page: Page) {
    this.card = page.getByRole('main').getByRole('alert');
    this.topUp = page.getByRole('dialog', { name: 'Top up' });
  }

  /** Pays from the card with a connected and funded wallet. Checks the card and each step of its dialog with axe. */
  async payIn(amount: string): Promise<void> {
    await expectAccessible(this.page);
    await this.card.getByRole('button', { name: 'Top up' }).click();
    await this.topUp.getByLabel('Another amount').fill(amount);
    await expectAccessible(this.page);
    await this.topUp.getByRole('button', { name: /^Review/ }).click();
    await expect(this.topUp.getByRole('button', { name: /^Sign (with|again)/ })).toBeVisible();
    await expectAccessible(this.page);
    await this.topUp.getByRole('button', { name: /^Sign (with|again)/ }).click();
  }

  /** Changes the payment method to a connected wallet. */
  async payWith(walletName: string): Promise<void> {
    await this.card.getByRole('button', { name: `Pay with ${walletName}` }).click();
  }

  async pasteKey(apiKey: string): Promise<void> {
    await this.card.getByRole('button', { name: /^Pay with (another|an API) key/ }).click();
    await this.card.getByLabel('Pay with another API key').fill(apiKey);
    await this.card.getByRole('button', { name: 'Pay with this key' }).click();
  }

  async isGone(): Promise<void> {
    await expect(this.card).toHaveCount(0);
  }
}
