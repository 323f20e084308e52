import { expect, type Locator, type Page } from '@playwright/test';

export class UsagePage {
  readonly charges: Locator;
  readonly requests: Locator;
  /** Parts of the plot. Pressing one filters the page. */
  readonly parts: Locator;
  readonly list: Locator;

  constructor(readonly page: Page) {
    this.charges = page.getByRole('region', { name: 'Charges', exact: true });
    this.requests = page.getByRole('region', { name: 'Requests', exact: true });
    this.parts = page.getByRole('list', { name: 'Parts' });
    this.list = page.getByRole('group', { name: 'List' });
  }

  async open(search = ''): Promise<void> {
    await this.page.goto(`/usage${search}`);
    await expect(this.page.getByRole('group', { name: 'Period' })).toBeVisible();
    await expect(this.requests.or(this.charges).first()).toBeVisible();
  }

  async stackBy(what: string): Promise<void> {
    const field = this.page.getByRole('combobox', { name: 'Stacked by' });
    await field.click();
    await this.page.getByRole('option', { name: `Stacked by: ${what}` }).click();
    await expect(field).toContainText(what);
  }

  /** Presses a button that saves a file, and returns the file's text. */
  async saved(button: Locator): Promise<string> {
    const download = this.page.waitForEvent('download');
    await button.click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}
