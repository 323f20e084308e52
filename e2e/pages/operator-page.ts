import { expect, type Locator, type Page } from '@playwright/test';

export class OperatorPage {
  readonly heading: Locator;
  /** Heading of the sign-in, which is all that other visitors see. */
  readonly signIn: Locator;
  readonly key: Locator;
  readonly margins: Locator;
  readonly glance: Locator;
  readonly upstreams: Locator;
  readonly refusals: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { name: 'Operator', exact: true });
    this.signIn = page.getByRole('heading', { name: 'Operator sign-in' });
    this.key = page.getByLabel('Operator’s key');
    this.margins = page.getByRole('region', { name: 'Margins by model' });
    this.glance = page.getByRole('region', { name: 'At a glance' });
    this.upstreams = page.getByRole('region', { name: 'Upstreams' });
    this.refusals = page.getByRole('region', { name: 'Refusals' });
  }

  async visit(): Promise<void> {
    expect((await this.page.goto('/operator'))?.status()).toBe(200);
  }

  async enter(key: string): Promise<void> {
    await this.key.fill(key);
    await this.page.getByRole('button', { name: 'Open', exact: true }).click();
  }

  /** Opens it from the payment method panel, where the operator's key is entered like any other key. */
  async openFromPanel(): Promise<void> {
    await this.page.getByRole('link', { name: 'Open the operator’s page' }).click();
    await expect(this.heading).toBeVisible();
  }
}
