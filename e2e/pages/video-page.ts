import { expect, type Locator, type Page } from '@playwright/test';

export class VideoPage {
  readonly prompt: Locator;
  readonly makeButton: Locator;
  readonly videos: Locator;
  /** Idempotency keys of the requests for videos, in order. */
  readonly sentKeys: (string | undefined)[] = [];

  constructor(readonly page: Page) {
    this.prompt = page.getByRole('textbox', { name: 'Prompt' });
    this.makeButton = page.getByRole('button', { name: 'Make the video' });
    this.videos = page.getByRole('region', { name: 'Videos' }).getByRole('article');
    page.on(
      'request',
      (request) => request.url().endsWith('/video/queue') && this.sentKeys.push(request.headers()['idempotency-key']),
    );
  }

  /** Opens the page and waits until it can be used. */
  async open(): Promise<void> {
    await this.page.goto('/video');
    await expect(this.makeButton).toBeEnabled();
  }

  async make(prompt: string): Promise<Locator> {
    await this.prompt.fill(prompt);
    await this.makeButton.click();
    return this.of(prompt);
  }

  /** Returns the card of a video. */
  of(prompt: string): Locator {
    return this.page.getByRole('article', { name: prompt });
  }

  /** Waits until the video can be played. */
  async made(card: Locator): Promise<Locator> {
    const video = card.locator('video');
    await expect(video).toBeVisible({ timeout: 60_000 });
    return video;
  }
}
