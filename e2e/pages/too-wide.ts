import { expect, type Page } from '@playwright/test';

/** Returns the parts of a page that would scroll horizontally, except tables and code, which may. */
export function tooWide(page: Page, width: number): Promise<string[]> {
  return page.evaluate((widthPx) => {
    const root = document.scrollingElement ?? document.documentElement;
    const panes = [...document.querySelectorAll('main, main *, [role="dialog"]')].filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const isPane = /auto|scroll/.test(overflowX) && /auto|scroll/.test(overflowY) && element.clientHeight > 200;
      return (
        isPane &&
        element.scrollWidth > element.clientWidth + 1 &&
        !element.matches(':has(> table), :has(> code), pre, .cm-scroller')
      );
    });
    return [
      ...(root.scrollWidth > widthPx ? [`the page, ${root.scrollWidth} px`] : []),
      ...panes.map((element) => `${element.tagName}.${element.className}: ${element.scrollWidth} px`),
    ];
  }, width);
}

/** Expects no horizontal scrolling of the page at any of these widths. */
export async function expectNoPanning(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await tooWide(page, width), `${page.url()} at ${width} px`).toEqual([]);
  }
}
