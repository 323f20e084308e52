import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { heldScriptBytesMax, SHIFT_MAX } from './figures/bounds';
import { measureLoad } from './figures/page-load';
import { connectedWalletState } from './figures/wallet-state';
import { expect, test } from './console-test';

const PAGES = CONSOLE_PAGES.map(({ href }) => href);
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SLOW_API_MS = 1_000;

/** Checks the same as `npm run pages`, except times, which vary on a busy machine. Loads of a page run in parallel. */
for (const path of PAGES) {
  test(`${path} loads no more script before anybody acts than it did, asks for nothing that fails, and keeps still while the API is slow`, async ({
    browser,
    baseURL,
  }) => {
    const url = `${baseURL}${path}`;
    // Script bytes do not depend on the API's speed, so the slow load measures them too.
    const [desk, phone] = await Promise.all([
      measureLoad(browser, { url, viewport: DESK, apiDelayMs: SLOW_API_MS }),
      measureLoad(browser, { url, viewport: PHONE, apiDelayMs: SLOW_API_MS }),
    ]);
    expect(desk.scriptBytes).toBeGreaterThan(0);
    expect(desk.scriptBytes).toBeLessThanOrEqual(heldScriptBytesMax(path));
    expect([...desk.failed, ...phone.failed]).toEqual([]);
    expect(desk.shift, desk.moved.join('\n')).toBeLessThan(SHIFT_MAX);
    expect(phone.shift, phone.moved.join('\n')).toBeLessThan(SHIFT_MAX);
  });
}

test('every page keeps still with a wallet that was connected before', async ({ browser, baseURL }) => {
  test.slow();
  const state = await connectedWalletState(browser, String(baseURL));
  // Runs as many loads in parallel as the test of one page above.
  for (let first = 0; first < PAGES.length; first += 3) {
    await Promise.all(
      PAGES.slice(first, first + 3).map(async (path) => {
        // On a phone, Top up shows chain data of the wallet on its first screen.
        for (const viewport of path === '/top-up' ? [DESK, PHONE] : [DESK]) {
          const { shift, moved } = await measureLoad(browser, { url: `${baseURL}${path}`, viewport, state });
          expect(shift, `${path}\n${moved.join('\n')}`).toBeLessThan(SHIFT_MAX);
        }
      }),
    );
  }
});
