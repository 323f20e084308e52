import { expect, type Locator, type Page } from '@playwright/test';
import { showEditor, typeInEditor } from './json-editor';

export class RpcPage {
  readonly answer: Locator;
  readonly request: Locator;
  readonly editor: Locator;
  readonly quotedCredits: Locator;
  readonly quotedCost: Locator;

  constructor(readonly page: Page) {
    this.answer = page.getByRole('region', { name: 'Answer' });
    this.request = page.getByRole('region', { name: 'Request' });
    this.editor = page.locator('.cm-content');
    this.quotedCredits = page.getByTestId('quoted-credits').filter({ visible: true });
    this.quotedCost = page.getByTestId('quoted-cost').filter({ visible: true });
  }

  /** Opens the page and waits until it can send: the editor is loaded and the credential is known. */
  async open(search = ''): Promise<void> {
    await this.page.goto(`/rpc${search}`);
    await showEditor(this.page);
    await expect(this.sendButton).toBeEnabled();
  }

  get sendButton(): Locator {
    return this.page.getByRole('button', { name: /^Send(?! to| again)/ }).filter({ visible: true });
  }

  /** The field is folded under Options until it is asked for or holds a key. */
  async openIdempotencyKey(): Promise<Locator> {
    const options = this.request.getByRole('button', { name: 'Options' });
    await expect(options).toHaveAttribute('aria-expanded', 'false');
    await options.click();
    return this.page.getByLabel('Idempotency-Key');
  }

  async send(): Promise<void> {
    await this.sendButton.click();
  }

  async chooseNetwork(search: string, slug: string): Promise<void> {
    await this.choose(/^Network(:|$)/, search);
    await expect(this.page.getByRole('button', { name: `Network: ${slug}` })).toBeVisible();
  }

  async chooseMethod(method: string): Promise<void> {
    await this.choose(/^(Method|Add a call)/, method);
    await expect(this.editor).toContainText(`"${method}"`);
  }

  async type(text: string): Promise<void> {
    await typeInEditor(this.editor, text);
  }

  async showCode(language: string): Promise<void> {
    await this.page.getByRole('tab', { name: 'Code' }).click();
    await this.request.getByRole('button', { name: language }).click();
  }

  /** Returns the value under Time, Credits, Cost or Request ID in the answer pane. */
  fact(name: string): Locator {
    return this.answer
      .locator('dl > div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .locator('dd');
  }

  async clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  private async choose(picker: RegExp, search: string): Promise<void> {
    await this.page.getByRole('button', { name: picker }).click();
    // The list loads when it is first used.
    await expect(this.page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await this.page.keyboard.type(search);
    await this.page.keyboard.press('Enter');
  }
}
