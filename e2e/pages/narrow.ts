import { expect, type Page } from '@playwright/test';

/** Expects that the page, with its shell, cannot be panned sideways at its width. */
export async function expectNoPanning(page: Page): Promise<void> {
  const { content, room } = await page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    return { content: root.scrollWidth, room: root.clientWidth };
  });
  expect(content).toBeLessThanOrEqual(room);
}
