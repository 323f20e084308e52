import { expect, type Locator, type Page } from '@playwright/test';

/** The panel that compares one call across networks. */
export class ComparePanel {
  readonly networks: Locator;
  readonly results: Locator;
  readonly plot: Locator;
  readonly sendButton: Locator;
  readonly quotedCredits: Locator;
  readonly quotedCost: Locator;
  readonly onlyDifferences: Locator;

  constructor(readonly page: Page) {
    this.networks = page.getByRole('list', { name: 'Compared networks' }).getByRole('listitem');
    this.results = page.getByRole('region', { name: 'Comparison' });
    this.plot = page.getByRole('table', { name: 'Networks side by side' });
    this.sendButton = page.getByRole('button', { name: /^Send to \d+ networks?$/ });
    this.quotedCredits = page.getByTestId('compared-credits');
    this.quotedCost = page.getByTestId('compared-cost');
    this.onlyDifferences = page.getByRole('button', { name: 'Only what differs' });
  }

  async show(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Compare' }).click();
    // The network of the request is included by default.
    await expect(this.networks.first()).toBeVisible();
  }

  async add(search: string): Promise<void> {
    const before = await this.networks.count();
    await this.page.getByRole('button', { name: 'Add a network' }).click();
    // The list loads when it is first used.
    await expect(this.page.getByRole('combobox').filter({ visible: true })).toBeFocused();
    await this.page.keyboard.type(search);
    await this.page.keyboard.press('Enter');
    await expect(this.networks).toHaveCount(before + 1);
  }

  /** Sends the call and waits until every network has answered or failed. */
  async send(): Promise<void> {
    await this.sendButton.click();
    await expect(this.results).toHaveAttribute('aria-busy', 'false');
  }

  /** Returns the card of a network, by its name. */
  card(name: string): Locator {
    return this.results.getByRole('article', { name, exact: true });
  }

  /** Returns the value under Time, Height, Credits or Cost on a card. */
  fact(network: string, name: string): Locator {
    return this.card(network)
      .locator('dl > div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .locator('dd')
      .first();
  }
}
