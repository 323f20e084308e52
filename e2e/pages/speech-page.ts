import { expect, type Locator, type Page } from '@playwright/test';

/** The Speech page, by what a person does on it. */
export class SpeechPage {
  readonly text: Locator;
  readonly speakButton: Locator;
  readonly takes: Locator;
  readonly before: Locator;

  constructor(readonly page: Page) {
    this.text = page.getByRole('textbox', { name: 'Text to speak' });
    this.speakButton = page.getByRole('button', { name: /^Speak/ }).filter({ visible: true });
    this.takes = page.getByRole('region', { name: 'Audio' }).getByRole('article');
    this.before = page.getByRole('region', { name: 'Spoken before' });
  }

  /** Opens the page and waits until it can speak. */
  async open(): Promise<void> {
    await this.page.goto('/speech');
    await expect(this.speakButton).toBeEnabled();
  }

  async speak(text: string): Promise<void> {
    await this.text.fill(text);
    await this.speakButton.click();
  }

  /** Waits until all of the audio is there. */
  async whole(take: Locator = this.takes.first()): Promise<Locator> {
    await expect(take.getByRole('status')).toHaveText('complete', { timeout: 30_000 });
    return take;
  }

  async choose(picker: string, search: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${picker}(:|$)`) }).click();
    await this.page.keyboard.type(search);
    await this.page.keyboard.press('Enter');
  }

  /** Where the audio element of a take is, in seconds. */
  async seconds(take: Locator = this.takes.first()): Promise<number> {
    return take.getByTestId('speech-audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
  }
}
