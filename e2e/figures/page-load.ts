import type { Browser, Page } from '@playwright/test';
import { readShift, watchShift } from './layout-shift.ts';
import type { StoredState } from './wallet-state.ts';

/** Measurements of one page load without user input. */
export interface LoadFigures {
  /** Compressed bytes without headers. */
  scriptBytes: number;
  /** Cumulative Layout Shift. */
  shift: number;
  moved: string[];
  /** Failed requests, as `404 /path`. */
  failed: string[];
}

export interface LoadOptions {
  url: string;
  viewport: { width: number; height: number };
  /** Delay of every API answer. */
  apiDelayMs?: number;
  /** Browser storage from an earlier visit. */
  state?: StoredState;
}

/** Wait after a load, so that the count includes what the page loads when the browser is idle. */
const SETTLE_MS = 2_000;

/** Loads a page in a new browser context until the network is quiet, and measures the load. */
export async function measureLoad(
  browser: Browser,
  { url, viewport, apiDelayMs = 0, state }: LoadOptions,
): Promise<LoadFigures> {
  // Phones show larger controls, whose placeholders must have the same size.
  const touch = viewport.width < 600 ? { isMobile: true, hasTouch: true } : {};
  // The bounds apply to gzip, which every browser accepts. Brotli transfers a seventh less.
  const context = await browser.newContext({
    viewport,
    reducedMotion: 'no-preference',
    extraHTTPHeaders: { 'accept-encoding': 'gzip' },
    ...touch,
    ...(state && { storageState: state }),
  });
  try {
    const page = await context.newPage();
    const scriptBytes = await countScriptBytes(page);
    const failed = watchFailures(page);
    await watchShift(page);
    if (apiDelayMs > 0) await slowDownApi(page, apiDelayMs);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(apiDelayMs * 2 + SETTLE_MS);
    return { scriptBytes: scriptBytes(), ...(await readShift(page)), failed };
  } finally {
    await context.close();
  }
}

/** Starts counting the transferred bytes of scripts. Returns a function that returns the sum so far. */
export async function countScriptBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  session.on(
    'Network.responseReceived',
    ({ requestId, response }) => void (response.mimeType.includes('javascript') && scripts.add(requestId)),
  );
  session.on(
    'Network.dataReceived',
    ({ requestId, encodedDataLength }) => void (scripts.has(requestId) && (bytes += encodedDataLength)),
  );
  await session.send('Network.enable');
  return () => bytes;
}

function watchFailures(page: Page): string[] {
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return failed;
}

/** Delays every answer of the API. */
export async function slowDownApi(page: Page, delayMs: number): Promise<void> {
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    // The page may have been closed.
    await route.continue().catch(() => undefined);
  });
}
