import { expect, type Page } from '@playwright/test';

/** Expects no horizontal scrolling of the page or its shell at the current width. */
export async function expectNoPanning(page: Page): Promise<void> {
  const { content, room } = await page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    return { content: root.scrollWidth, room: root.clientWidth };
  });
  expect(content).toBeLessThanOrEqual(room);
}
