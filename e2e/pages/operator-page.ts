import { expect, type Locator, type Page } from '@playwright/test';

export class OperatorPage {
  readonly heading: Locator;
  /** What people without operator rights see. */
  readonly nothing: Locator;
  readonly glance: Locator;
  readonly upstreams: Locator;
  readonly refusals: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Operator', exact: true });
    this.nothing = page.getByRole('heading', { name: 'There is no page at this address.' });
    this.glance = page.getByRole('region', { name: 'At a glance' });
    this.upstreams = page.getByRole('region', { name: 'Upstreams' });
    this.refusals = page.getByRole('region', { name: 'Refusals' });
  }

  /**
   * Opens its address. The server answers 404 to everyone, and the browser then finds out whether this is an operator.
   */
  async visit(): Promise<void> {
    expect((await this.page.goto('/operator'))?.status()).toBe(404);
  }

  /** Opens it from the payment method panel, where the operator's key is entered like any other key. */
  async openFromPanel(): Promise<void> {
    await this.page.getByRole('link', { name: 'Open the operator’s page' }).click();
    await expect(this.heading).toBeVisible();
  }
}
