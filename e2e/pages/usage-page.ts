import { expect, type Locator, type Page } from '@playwright/test';

/** The Usage page, by what a person does on it. */
export class UsagePage {
  readonly charges: Locator;
  readonly requests: Locator;
  readonly byResource: Locator;
  readonly byKey: Locator;

  constructor(readonly page: Page) {
    this.charges = page.getByRole('region', { name: 'Charges', exact: true });
    this.requests = page.getByRole('region', { name: 'Requests', exact: true });
    this.byResource = page.getByRole('region', { name: 'By resource' });
    this.byKey = page.getByRole('region', { name: 'By key' });
  }

  async open(search = ''): Promise<void> {
    await this.page.goto(`/usage${search}`);
    await expect(this.page.getByRole('group', { name: 'Period' })).toBeVisible();
    // What lies below comes with the first sign of a person that the page hears.
    await expect(async () => {
      await this.page.keyboard.press('Shift');
      await expect(this.charges).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }

  /** Saves by a button, and reads what was saved. */
  async saved(button: Locator): Promise<string> {
    const download = this.page.waitForEvent('download');
    await button.click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}
