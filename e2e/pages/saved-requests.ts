import { expect, type Locator, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

/** The saved requests on the RPC page. */
export class SavedRequests {
  readonly region: Locator;
  readonly collections: Locator;

  constructor(readonly page: Page) {
    this.region = page.getByRole('tabpanel', { name: 'Saved' });
    this.collections = this.region.getByRole('region');
  }

  async show(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Saved' }).click();
    await expect(this.region.getByRole('form', { name: 'Save the request in the editor' })).toBeVisible();
  }

  /** Saves the request in the editor. */
  async save(name: string, collection: string): Promise<void> {
    await this.region.getByRole('textbox', { name: 'Name' }).fill(name);
    await this.region.getByRole('combobox', { name: 'Collection' }).fill(collection);
    await this.region.getByRole('button', { name: 'Save', exact: true }).click();
  }

  collection(name: string): Locator {
    return this.region.getByRole('region', { name, exact: true });
  }

  /** Returns the button of a saved request. */
  request(name: string): Locator {
    return this.region.getByRole('listitem').getByRole('button', { name: new RegExp(`^${name}`) });
  }

  /** Returns the text of a collection's exported file. */
  async exported(collection: string): Promise<string> {
    const download = this.page.waitForEvent('download');
    await this.region.getByRole('button', { name: `Export ${collection}` }).click();
    return readFile(await (await download).path(), 'utf8');
  }

  async import(text: string): Promise<void> {
    await this.region
      .locator('input[type=file]')
      .setInputFiles({ name: 'requests.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  }
}
