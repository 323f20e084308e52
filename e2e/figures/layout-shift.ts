import type { Page } from '@playwright/test';

/** Cumulative Layout Shift as browsers report it, and the moved elements, farthest first. */
export interface Shift {
  shift: number;
  moved: string[];
}

interface WatchedShift {
  value: number;
  atMs: number;
  moved: string[];
}

declare global {
  interface Window {
    watchedShifts?: WatchedShift[];
  }
}

/** Shifts belong to one burst if they are at most a second apart, and five seconds in total (web.dev/cls). */
const GAP_MS = 1_000;
const BURST_MS = 5_000;
const NAMED_MAX = 4;

/** Records shifts of all loads of this page from the first paint. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: WatchedShift[] = [];
    window.watchedShifts = shifts;
    const name = (node: Node | null | undefined): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      if (!element) return 'something that is gone';
      const label = element.getAttribute('aria-label') ?? (element.textContent ?? '').trim().slice(0, 40);
      return `${element.tagName.toLowerCase()}.${[...element.classList].slice(0, 4).join('.')} "${label}"`;
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources, startTime } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node, previousRect: was, currentRect: is }) =>
            `${name(node)} (${Math.round(was.x)},${Math.round(was.y)} ${Math.round(was.width)}×${Math.round(was.height)} → ${Math.round(is.x)},${Math.round(is.y)} ${Math.round(is.width)}×${Math.round(is.height)})`,
        );
        shifts.push({ value, atMs: startTime, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Returns the shifts since the page was opened. */
export async function readShift(page: Page): Promise<Shift> {
  const shifts = await page.evaluate(() => window.watchedShifts ?? []);
  const moved = [...shifts]
    .sort((a, b) => b.value - a.value)
    .flatMap(({ value, moved: names }) => names.map((name) => `${value.toFixed(3)} ${name}`));
  return { shift: worstBurst(shifts), moved: moved.slice(0, NAMED_MAX) };
}

function worstBurst(shifts: readonly WatchedShift[]): number {
  let worst = 0;
  let burst = { sum: 0, fromMs: -Infinity, lastMs: -Infinity };
  for (const { value, atMs } of shifts) {
    const goesOn = atMs - burst.lastMs < GAP_MS && atMs - burst.fromMs < BURST_MS;
    burst = goesOn ? { ...burst, sum: burst.sum + value, lastMs: atMs } : { sum: value, fromMs: atMs, lastMs: atMs };
    worst = Math.max(worst, burst.sum);
  }
  return worst;
}
