import type { Page } from '@playwright/test';

/** Returns the label or text of the focused element; `body` if nothing has focus. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return 'body';
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement
        ? element.labels?.[0]?.textContent
        : null;
    return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? element.tagName).trim().slice(0, 80);
  });
}
