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

const TABS_MAX = 80;

/** Presses Tab until this element has the focus. */
export async function tabTo(
  page: Page,
  isSought: (argument: string | null) => boolean,
  argument: string | null = null,
): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses++) {
    if (await page.evaluate(isSought, argument)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(
    `What is sought was not reached with ${TABS_MAX} presses of Tab: the focus is on ${await focusedName(page)}.`,
  );
}
