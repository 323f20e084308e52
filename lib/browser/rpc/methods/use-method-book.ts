'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { loadCode } from '../../load-code';
import type * as methodBook from './method-book';

export type MethodBook = typeof methodBook;

let loaded: MethodBook | null = null;
let loading: Promise<MethodBook> | null = null;
const listeners = new Set<() => void>();
const ACTS = ['pointerdown', 'keydown'] as const;

/**
 * What is known of methods; null until it has loaded, which begins with the first sign of a person.
 *
 * @param isNeeded loads it at once
 */
export function useMethodBook(isNeeded: boolean): MethodBook | null {
  const book = useSyncExternalStore(
    subscribe,
    () => loaded,
    () => null,
  );
  useEffect(() => {
    if (book !== null) return;
    if (isNeeded || navigator.userActivation.hasBeenActive) load();
    window.addEventListener('pointermove', load, { once: true, passive: true, capture: true });
    // Where it did not come, each of these asks again.
    for (const act of ACTS) window.addEventListener(act, load, { passive: true, capture: true });
    return () => ['pointermove', ...ACTS].forEach((act) => window.removeEventListener(act, load, { capture: true }));
  }, [isNeeded, book]);
  return book;
}

/**
 * Loads what is known of methods.
 * @throws {UnreachableError} where it does not come; the next caller tries again
 */
export function loadMethodBook(): Promise<MethodBook> {
  loading ??= loadCode(() => import('./method-book')).then(
    (book) => {
      loaded = book;
      listeners.forEach((listener) => listener());
      return book;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Where it does not come, the console says that nothing answers. */
function load(): void {
  void loadMethodBook().catch(() => undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
