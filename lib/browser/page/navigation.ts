'use client';

import { useSyncExternalStore } from 'react';
import { connectionNow, onRecovered } from '@/lib/browser/connection/connection';

/**
 * Maximum time for which the progress bar and the placeholder cover the page. A link to a file, for example, opens no
 * page that would remove them.
 */
const SHOWN_MS = 10_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Sets the path of the requested page, for the shell's styles; null once the page is shown or the navigation is
 * cancelled.
 */
export function noteAskedPage(path: string | null): void {
  const { dataset } = document.documentElement;
  clearTimeout(timer);
  delete dataset.asked;
  if (path === null || path === window.location.pathname || path.startsWith('/api/')) return;
  dataset.asked = path;
  timer = setTimeout(() => noteAskedPage(null), SHOWN_MS);
}

export function askForPage(href: string): void {
  noteAskedPage(href.replace(/[?#].*/, ''));
}

/**
 * Returns the main region; null before the region is shown. All pages share this element, so that it can take focus.
 */
export function pageElement(): HTMLElement | null {
  return document.getElementById('page');
}

/** Pages shown since the load. The browser can open these pages again without the gateway. */
const seen = new Set<string>();
let held: string | null = null;
const listeners = new Set<() => void>();

export function noteSeenPage(path: string): void {
  seen.add(path);
}

/**
 * Returns true if a page cannot open now: the gateway does not answer, and the browser has not opened the page before.
 * Stores the result for `useHeldPage`.
 */
export function isHeldBack(path: string): boolean {
  const { state } = connectionNow();
  const isAway = state === 'offline' || state === 'unanswered';
  hold(isAway && !seen.has(path) ? path : null);
  return held !== null;
}

/** Returns the path of the last requested page that could not open; null for none. */
export function useHeldPage(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => held,
    () => null,
  );
}

function hold(path: string | null): void {
  held = path;
  listeners.forEach((listener) => listener());
}

let stopListening: (() => void) | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopListening ??= onRecovered(() => hold(null));
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopListening?.();
    stopListening = null;
  };
}
