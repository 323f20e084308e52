'use client';

import { useBrowserStore } from './browser-store';
import { noteStorage, troubleOf } from './storage-trouble';

/** Value stored in this browser. All components of a page share it. All tabs share a value in local storage. */
export interface StoredValue<T> {
  get(): T;
  /** @returns whether storage has the value; if not, the page says so */
  set(value: T): boolean;
  subscribe(listener: () => void): () => void;
  /** Value on the server and in the first client render. */
  readonly initial: T;
}

export interface StoredValueOptions<T> {
  key: string;
  initial: T;
  parse: (stored: unknown) => T | null;
  /** Returns true for values that must end with the tab. */
  sessionOnly?: (value: T) => boolean;
  /**
   * If present, each tab has its own value, as for a draft. A tab without a value, as after a crash, starts with the
   * last value of any tab, converted by this function.
   */
  draftOf?: (last: T) => T;
}

/**
 * Creates a stored value. If storage is blocked or full, the value lasts as long as the page, and the page shows a
 * warning.
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

/**
 * Writes to session storage, which survives a reload, and to local storage, which outlives the tab. Returns true only
 * if both succeed.
 */
function writeToBoth(key: string, value: unknown): boolean {
  const isShared = write('localStorage', key, value);
  const isOwn = write('sessionStorage', key, value);
  return isShared && isOwn;
}

/** Writes to storage. Notes a failure, so that the page shows a warning. */
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
    // Blocked storage: nothing to remove.
  }
}
