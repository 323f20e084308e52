import type { Browser, Page } from '@playwright/test';
import { readShift, watchShift } from './layout-shift.ts';
import type { StoredState } from './wallet-state.ts';

/** What one load of a page came to, with nobody acting. */
export interface LoadFigures {
  /** Bytes over the wire, compressed, without headers. */
  scriptBytes: number;
  /** Cumulative Layout Shift. */
  shift: number;
  moved: string[];
  /** Requests that failed, as `404 /path`. */
  failed: string[];
}

export interface LoadOptions {
  url: string;
  viewport: { width: number; height: number };
  /** Holds every answer of the API back for so long. */
  apiDelayMs?: number;
  /** What the browser has stored from before. */
  state?: StoredState;
}

/** What is loaded when the browser is idle belongs to the load too. */
const SETTLE_MS = 2_000;

/** Loads a page in a fresh browser context until it has been quiet for a while, and says what came of it. */
export async function measureLoad(
  browser: Browser,
  { url, viewport, apiDelayMs = 0, state }: LoadOptions,
): Promise<LoadFigures> {
  // A phone has larger controls, whose places have to be as large.
  const touch = viewport.width < 600 ? { isMobile: true, hasTouch: true } : {};
  // The bounds are of gzip, which every browser takes; with Brotli it is a seventh less.
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

/** Sums what scripts weigh as they come over the wire, from now on; the sum so far is read by calling the answer. */
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

/** Has every answer of the API take so much longer. */
export async function slowDownApi(page: Page, delayMs: number): Promise<void> {
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    // The page may be gone by then.
    await route.continue().catch(() => undefined);
  });
}
