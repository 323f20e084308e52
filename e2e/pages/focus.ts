import type { Page } from '@playwright/test';

/** Returns what has the focus, by the name that a person gives it: its label, or what is written on it; `body` where it is lost. */
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
