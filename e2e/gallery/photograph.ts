import { join } from 'node:path';
import type { Page } from '@playwright/test';

const WIDTHS = [390, 768, 1440] as const;
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
/** Taller pictures would be hard to read. */
const HEIGHT_MAX = 4_000;

/**
 * Photographs a page in both themes and at three widths, with everything that scrolls in it. Under a dialog,
 * photographs only the screen.
 */
export async function photograph(page: Page, { folder, name }: { folder: string; name: string }): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.setViewportSize({ width, height: await wholeHeight(page) });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      await page.screenshot({ path: join(folder, `${name}--${width}-${colorScheme}.png`) });
    }
  }
}

function wholeHeight(page: Page): Promise<number> {
  return page.evaluate(
    ([least, most]) => {
      const main = document.querySelector('main');
      const isCovered = document.querySelector('[role=dialog]') !== null;
      return main === null || isCovered
        ? least
        : Math.min(most, Math.max(least, window.innerHeight + main.scrollHeight - main.clientHeight));
    },
    [HEIGHT, HEIGHT_MAX] as const,
  );
}

/** Waits until everything that depends on width and theme is drawn and no color transition runs. */
function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // Transitions of hidden elements may never end.
    const inTime = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([Promise.allSettled(transitions.map(({ finished }) => finished)), inTime]);
  });
}
