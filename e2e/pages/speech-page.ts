import { expect, type Locator, type Page } from '@playwright/test';

export class SpeechPage {
  readonly text: Locator;
  readonly speakButton: Locator;
  readonly takes: Locator;
  readonly before: Locator;

  constructor(readonly page: Page) {
    this.text = page.getByRole('textbox', { name: 'Text to speak' });
    this.speakButton = page.getByRole('button', { name: /^Speak( Ctrl ⏎)?$/ }).filter({ visible: true });
    this.takes = page.getByRole('region', { name: 'Audio' }).getByRole('article');
    this.before = page.getByRole('region', { name: 'Spoken before' });
  }

  /** Opens the page and waits until it can be used. */
  async open(): Promise<void> {
    await this.page.goto('/speech');
    await expect(this.speakButton).toBeEnabled();
  }

  async speak(text: string): Promise<void> {
    await this.text.fill(text);
    await this.speakButton.click();
  }

  /** Waits until the audio is complete. */
  async whole(take: Locator = this.takes.first()): Promise<Locator> {
    await expect(this.status(take)).toHaveText('complete', { timeout: 30_000 });
    return take;
  }

  async choose(picker: string, search: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${picker}(:|$)`) }).click();
    // The list loads when it is first used.
    await expect(this.page.getByRole('combobox', { name: picker, expanded: true })).toBeFocused();
    await this.page.keyboard.type(search);
    await this.page.keyboard.press('Enter');
  }

  /** Returns the element with a take's progress. */
  status(take: Locator = this.takes.first()): Locator {
    return take.getByRole('status').first();
  }

  /** Returns the sentences of a take, which can be pressed. */
  sentences(take: Locator = this.takes.first()): Locator {
    return take.getByLabel('Sentences', { exact: true }).getByRole('button');
  }

  /** Saves the audio of a take. @returns the name of the file */
  async download(take: Locator = this.takes.first()): Promise<string> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      take.getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    return download.suggestedFilename();
  }

  /** Returns the duration of a take's audio in seconds. */
  async length(take: Locator = this.takes.first()): Promise<number> {
    return take.getByTestId('speech-audio').evaluate((audio: HTMLAudioElement) => audio.duration);
  }

  /** Returns the playback position of a take in seconds. */
  async seconds(take: Locator = this.takes.first()): Promise<number> {
    return take.getByTestId('speech-audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
  }
}
