'use client';

import { useSyncExternalStore } from 'react';

/** A value kept in this browser, shared by all components and, in local storage, by all tabs. */
export interface StoredValue<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
  /** What the server, and the first client render, take it for. */
  readonly initial: T;
}

export interface StoredValueOptions<T> {
  key: string;
  initial: T;
  /** Makes a value of what was stored, whoever wrote it; null refuses it. */
  parse: (stored: unknown) => T | null;
  /** A value for which this is true lives only as long as the tab. */
  sessionOnly?: (value: T) => boolean;
}

/**
 * Makes a stored value. Where storage is blocked or full it still works for as long as the page is open, since
 * losing a preference must not break a page.
 */
export function createStoredValue<T>({ key, initial, parse, sessionOnly = () => false }: StoredValueOptions<T>): StoredValue<T> {
  let current: T | undefined;
  const listeners = new Set<() => void>();
  const read = (): T => readFrom('sessionStorage', key, parse) ?? readFrom('localStorage', key, parse) ?? initial;
  const notify = () => listeners.forEach((listener) => listener());
  const onStorage = (event: StorageEvent) => {
    if (event.key !== null && event.key !== key) return;
    current = read();
    notify();
  };
  return {
    initial,
    get: () => (typeof window === 'undefined' ? initial : (current ??= read())),
    set(value) {
      current = value;
      const kept = sessionOnly(value) ? 'sessionStorage' : 'localStorage';
      remove(kept === 'sessionStorage' ? 'localStorage' : 'sessionStorage', key);
      write(kept, key, value);
      notify();
    },
    subscribe(listener) {
      if (listeners.size === 0) window.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('storage', onStorage);
      };
    },
  };
}

/** The value, kept up to date. */
export function useStoredValue<T>(store: StoredValue<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial);
}

type StorageName = 'localStorage' | 'sessionStorage';

function readFrom<T>(storage: StorageName, key: string, parse: (stored: unknown) => T | null): T | null {
  try {
    const text = window[storage].getItem(key);
    return text === null ? null : parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function write(storage: StorageName, key: string, value: unknown): void {
  try {
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Blocked or full: the value in memory serves until the page is left.
  }
}

function remove(storage: StorageName, key: string): void {
  try {
    window[storage].removeItem(key);
  } catch {
    // Blocked storage holds nothing to remove.
  }
}
