import { expect, type Locator, type Page } from '@playwright/test';

/** The API reference page. */
export class ReferencePage {
  readonly searchField: Locator;
  readonly navigation: Locator;

  constructor(readonly page: Page) {
    this.searchField = page.getByRole('searchbox', { name: 'Search the reference' });
    this.navigation = page.getByRole('navigation', { name: 'Reference' });
  }

  async open(fragment = ''): Promise<void> {
    await this.page.goto(`/reference${fragment}`);
    await expect(this.navigation).toBeVisible();
  }

  async search(text: string): Promise<void> {
    await this.searchField.fill(text);
  }

  section(title: string | RegExp): Locator {
    return this.page.getByRole('region', { name: title });
  }
}
