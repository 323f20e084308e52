import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { expect, test } from './console-test';
import { countVisibleWords } from './pages/visible-words';

/**
 * Words on the screen at 1440 × 900 with nothing opened, rail and bars included. What the reference says of endpoints is
 * the API description's.
 */
const BUDGETS: Readonly<Record<string, number>> = { '/': 350, '/chat': 300, '/reference': 340 };
const OTHER_PAGES = 250;

for (const { href, title } of CONSOLE_PAGES) {
  const most = BUDGETS[href] ?? OTHER_PAGES;
  test(`${title} shows at most ${most} words`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(href);
    await expect(page.getByRole('button', { name: 'Copy demo key' }).first()).toBeAttached();
    // What loads with the first sign of a person is counted too.
    await page.keyboard.press('Shift');
    await page.waitForLoadState('networkidle');
    const { words, text } = await countVisibleWords(page);
    expect(words, text).toBeLessThanOrEqual(most);
    expect(words, 'the page is there').toBeGreaterThan(20);
  });
}
