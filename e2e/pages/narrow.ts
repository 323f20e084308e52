import { expect, type Page } from '@playwright/test';

/** That the page, its shell included, can not be panned sideways at its width. */
export async function expectNoPanning(page: Page): Promise<void> {
  const { content, room } = await page.evaluate(() => {
    const root = document.scrollingElement ?? document.documentElement;
    return { content: root.scrollWidth, room: root.clientWidth };
  });
  expect(content).toBeLessThanOrEqual(room);
}
