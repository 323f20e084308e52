import type { Browser, ElementHandle, Locator, Page } from '@playwright/test';

/** Slowest interaction of a page, from input to next paint, in ms. */
export interface Interaction {
  ms: number;
  name: string;
}

declare global {
  interface Window {
    watchedInteractions?: Record<number, number>;
  }
}

const CPU_SLOWDOWN = 4;
const SETTLE_MS = 2_000;
const FIELDS_MAX = 2;
const OPENERS_MAX = 5;
/** Browsers do not report shorter interactions. */
const REPORTED_FROM_MS = 16;
const TYPED = 'base 12';

/**
 * Uses a page on a phone with a four times slower processor: types into its first fields and opens menus and tabs.
 * Takes the median of several rounds, because other processes may interfere.
 */
export async function measureInteractions(
  browser: Browser,
  { url, viewport, rounds }: { url: string; viewport: { width: number; height: number }; rounds: number },
): Promise<Interaction> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
    try {
      const page = await context.newPage();
      await watchInteractions(page);
      await page.goto(url, { waitUntil: 'load' });
      await page.waitForTimeout(SETTLE_MS);
      for (const { name, ms } of await actOn(page)) times.set(name, [...(times.get(name) ?? []), ms]);
    } finally {
      await context.close();
    }
  }
  const medians = [...times].map(([name, all]) => ({ name, ms: median(all) }));
  return medians.reduce((slowest, one) => (one.ms > slowest.ms ? one : slowest), { ms: 0, name: 'none above 16 ms' });
}

async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript((durationThreshold) => {
    const longest: Record<number, number> = {};
    window.watchedInteractions = longest;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId = 0, duration } = entry as PerformanceEntry & { interactionId?: number };
        if (interactionId !== 0) longest[interactionId] = Math.max(longest[interactionId] ?? 0, duration);
      }
    }).observe({ type: 'event', buffered: true, durationThreshold } as PerformanceObserverInit);
  }, REPORTED_FROM_MS);
}

async function actOn(page: Page): Promise<Interaction[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const main = page.getByRole('main');
  const fields = await firstOf(
    main.locator('textarea:visible, input:visible:is([type=text], [type=search], :not([type])), .cm-content'),
    FIELDS_MAX,
  );
  const openers = await firstOf(
    page.locator(':is(main, header) :is(button[aria-haspopup], button[role=combobox], [role=tab], summary):visible'),
    OPENERS_MAX,
  );
  const found: Interaction[] = [];
  for (const { element, name } of fields) found.push(await timed(page, `typing in ${name}`, () => typeIn(element)));
  for (const { element, name } of openers) {
    found.push(await timed(page, `opening ${name}`, () => element.tap({ timeout: 5_000 })));
    await page.keyboard.press('Escape');
    await page.waitForTimeout(300);
  }
  return found;
}

async function typeIn(field: ElementHandle): Promise<void> {
  await field.tap({ timeout: 5_000 });
  await field.type(TYPED, { delay: 120, timeout: 15_000 });
}

/** Skips controls that are covered or disabled now. Another round or state of the page may reach them. */
async function timed(page: Page, name: string, act: () => Promise<void>): Promise<Interaction> {
  await page.evaluate(
    () =>
      void Object.keys(window.watchedInteractions ?? {}).forEach(
        (id) => delete window.watchedInteractions?.[Number(id)],
      ),
  );
  await act().catch(() => undefined);
  await page.waitForTimeout(500);
  const times = await page.evaluate(() => Object.values(window.watchedInteractions ?? {}));
  return { name, ms: Math.max(0, ...times) };
}

interface Control {
  element: ElementHandle<Element>;
  name: string;
}

/** Returns elements instead of indexes, because input or loading may remove other elements. */
async function firstOf(locator: Locator, max: number): Promise<Control[]> {
  const usable: Control[] = [];
  for (const element of (await locator.elementHandles()) as ElementHandle<Element>[]) {
    if (usable.length === max) break;
    const name = await nameOfEnabled(element).catch(() => null);
    if (name !== null) usable.push({ element, name });
  }
  return usable;
}

/** @returns null if the element is not usable */
async function nameOfEnabled(handle: ElementHandle<Element>): Promise<string | null> {
  if (!(await handle.isEnabled())) return null;
  const name = await handle.evaluate(
    (element) =>
      element.getAttribute('aria-label') ??
      (element as HTMLInputElement).labels?.[0]?.textContent ??
      element.getAttribute('placeholder') ??
      element.textContent ??
      '',
  );
  return `“${name.trim().slice(0, 40)}”`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
