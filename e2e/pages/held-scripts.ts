import type { Page } from '@playwright/test';

/** Holds scripts with this code back until they are released. Releasing waits until they have run. */
export async function holdScripts(
  page: Page,
  isHeld: (code: string) => boolean,
): Promise<{ release: () => Promise<void> }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/_next/static/**/*.js*', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    if (isHeld(body)) await released;
    await route.fulfill({ response, body });
  });
  return {
    async release() {
      release();
      await page.waitForLoadState('networkidle');
    },
  };
}
