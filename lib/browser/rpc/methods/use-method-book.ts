'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { loadCode } from '../../load-code';
import type * as methodBook from './method-book';
import { createListeners } from '../../listeners';

export type MethodBook = typeof methodBook;

let loaded: MethodBook | null = null;
let loading: Promise<MethodBook> | null = null;
const listeners = createListeners();
const ACTS = ['pointerdown', 'keydown'] as const;

/**
 * Returns the method data; null until loaded. Loading begins at the user's first input.
 * @param isNeeded loads the data now
 */
export function useMethodBook(isNeeded: boolean): MethodBook | null {
  const book = useSyncExternalStore(
    listeners.subscribe,
    () => loaded,
    () => null,
  );
  useEffect(() => {
    if (book !== null) return;
    if (isNeeded || navigator.userActivation.hasBeenActive) load();
    window.addEventListener('pointermove', load, { once: true, passive: true, capture: true });
    // These events also retry a failed load.
    for (const act of ACTS) window.addEventListener(act, load, { passive: true, capture: true });
    return () => ['pointermove', ...ACTS].forEach((act) => window.removeEventListener(act, load, { capture: true }));
  }, [isNeeded, book]);
  return book;
}

/**
 * Loads the method data.
 * @throws {UnreachableError} if the code does not arrive; the next call retries
 */
export function loadMethodBook(): Promise<MethodBook> {
  loading ??= loadCode(() => import('./method-book')).then(
    (book) => {
      loaded = book;
      listeners.tell();
      return book;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Loads the data. The console's connection state reports a failure. */
function load(): void {
  void loadMethodBook().catch(() => undefined);
}
