import type { Page } from '@playwright/test';

/** Counts the visible words of a page, without texts for screen readers. */
export async function countVisibleWords(page: Page): Promise<{ words: number; text: string }> {
  // Waits until the count is stable, because parts may still be loading.
  for (let before = -1; ; await page.waitForTimeout(500)) {
    const seen = await readScreen(page);
    if (seen.words === before) return seen;
    before = seen.words;
  }
}

function readScreen(page: Page): Promise<{ words: number; text: string }> {
  return page.evaluate(() => {
    const isOnScreen = ({ top, bottom, left, right, width, height }: DOMRect) =>
      width > 1 && height > 1 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
    const texts: string[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(parent.tagName)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if (!isOnScreen(range.getBoundingClientRect()) || !isOnScreen(parent.getBoundingClientRect())) continue;
      if (parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        texts.push(node.textContent ?? '');
    }
    const text = texts.join(' ');
    return { words: text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length, text };
  });
}
