'use client';

import { useBrowserStore } from './browser-store';
import { noteStorage, troubleOf } from './storage-trouble';

/** A value kept in this browser, shared by all components and, in local storage, by all tabs. */
export interface StoredValue<T> {
  get(): T;
  /** @returns whether it is kept beyond the page; where it is not, the page says so. */
  set(value: T): boolean;
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
  /**
   * Makes it a draft: each tab has its own, which no other tab writes over, and a tab that has none yet, as after a
   * crash, begins with the one that was written last, as this function returns it.
   */
  draftOf?: (last: T) => T;
}

/**
 * Makes a stored value. Where storage is blocked or full it still works for as long as the page is open, since
 * losing a preference must not break a page.
 */
export function createStoredValue<T>({
  key,
  initial,
  parse,
  sessionOnly = () => false,
  draftOf,
}: StoredValueOptions<T>): StoredValue<T> {
  let current: T | undefined;
  const listeners = new Set<() => void>();
  const read = (): T => {
    const own = readFrom('sessionStorage', key, parse);
    if (own !== null) return own;
    const shared = readFrom('localStorage', key, parse);
    return shared === null ? initial : (draftOf?.(shared) ?? shared);
  };
  const notify = () => listeners.forEach((listener) => listener());
  const onStorage = (event: StorageEvent) => {
    if ((event.key !== null && event.key !== key) || draftOf !== undefined) return;
    current = read();
    notify();
  };
  return {
    initial,
    get: () => (typeof window === 'undefined' ? initial : (current ??= read())),
    set(value) {
      current = value;
      const isKept =
        draftOf === undefined
          ? writeToOne(sessionOnly(value) ? 'sessionStorage' : 'localStorage', key, value)
          : writeToBoth(key, value);
      notify();
      return isKept;
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
  return useBrowserStore(store.subscribe, store.get, () => store.initial);
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

function writeToOne(storage: StorageName, key: string, value: unknown): boolean {
  remove(storage === 'sessionStorage' ? 'localStorage' : 'sessionStorage', key);
  return write(storage, key, value);
}

/** Kept where either takes it: the tab's own survives a reload, the shared one the tab. */
function writeToBoth(key: string, value: unknown): boolean {
  const isShared = write('localStorage', key, value);
  const isOwn = write('sessionStorage', key, value);
  return isShared && isOwn;
}

/** Blocked or full: the value in memory serves until the page is left, which the page says. */
function write(storage: StorageName, key: string, value: unknown): boolean {
  const what = `${storage} ${key}`;
  try {
    const text = JSON.stringify(value);
    window[storage].setItem(key, text);
    noteStorage(what, null);
    return true;
  } catch (error) {
    noteStorage(what, troubleOf(error));
    return false;
  }
}

function remove(storage: StorageName, key: string): void {
  try {
    window[storage].removeItem(key);
  } catch {
    // Blocked storage holds nothing to remove.
  }
}
