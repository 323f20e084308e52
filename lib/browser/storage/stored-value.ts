'use client';

import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** Value stored in this browser. All components of a page share it; in local storage, all tabs share it. */
export interface StoredValue<T> {
  get(): T;
  /** @returns whether storage accepted the value; if not, the page shows a warning */
  set(value: T): boolean;
  subscribe(listener: () => void): () => void;
  /** Value on the server and in the first client render. */
  readonly initial: T;
}

export interface StoredValueOptions<T> {
  key: string;
  initial: T;
  parse: (stored: unknown) => T | null;
  /** Returns true for values that must not outlive the tab. */
  sessionOnly?: (value: T) => boolean;
  /**
   * If present, each tab has its own value, for example its own draft. A tab that has no value, for example after a
   * crash, starts with the last value of any tab, converted by this function.
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
  let isFollowing = false;
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
  /** Listens for other tabs' changes from the first use on. Otherwise a write could undo them. */
  const follow = () => {
    if (isFollowing || typeof window === 'undefined') return;
    isFollowing = true;
    window.addEventListener('storage', onStorage);
  };
  return {
    initial,
    get() {
      if (typeof window === 'undefined') return initial;
      follow();
      return (current ??= read());
    },
    set(value) {
      follow();
      current = value;
      const isKept =
        draftOf === undefined
          ? writeToOne(sessionOnly(value) ? 'sessionStorage' : 'localStorage', key, value)
          : writeToBoth(key, value);
      notify();
      return isKept;
    },
    subscribe(listener) {
      follow();
      listeners.add(listener);
      return () => void listeners.delete(listener);
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
 * Writes to session storage, where a reload finds the tab's own value, and to local storage, which outlives the tab.
 * Returns whether both writes succeed.
 */
function writeToBoth(key: string, value: unknown): boolean {
  const isShared = write('localStorage', key, value);
  const isOwn = write('sessionStorage', key, value);
  return isShared && isOwn;
}

/** Writes a value. Records a failure, so that the page shows a warning. */
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
    // Storage is blocked, so there is nothing to remove.
  }
}

/** True after the first hydration. Components may then read values that only this browser knows. */
let isPageAlive = false;

/**
 * Reads a value that only this browser knows. Returns the server's value until hydration, then renders the real value
 * in a transition, because `useSyncExternalStore` alone renders synchronously (docs/decisions/console.md, 248). If the
 * value changes before the transition, renders the new value immediately.
 * @param subscribe must be the same function in every rendering
 */
export function useBrowserStore<T>(
  subscribe: (listener: () => void) => () => void,
  get: () => T,
  ofServer: () => T,
): T {
  const [isAlive, setAlive] = useAlive();
  const subscribeAlive = useCallback(
    (listener: () => void) =>
      subscribe(() => {
        setAlive(true);
        listener();
      }),
    [subscribe, setAlive],
  );
  return useSyncExternalStore(subscribeAlive, isAlive ? get : ofServer, ofServer);
}

/**
 * Returns whether React has hydrated the page. Controlled fields are read-only until then, because hydration overwrites
 * earlier input.
 */
export function useHydrated(): boolean {
  return useAlive()[0];
}

function useAlive() {
  const alive = useState(isPageAlive);
  const setAlive = alive[1];
  useEffect(() => {
    isPageAlive = true;
    startTransition(() => setAlive(true));
  }, [setAlive]);
  return alive;
}

export interface Listeners {
  /** @returns function that removes the listener */
  subscribe(listener: () => void): () => void;
  tell(): void;
}

/** Creates an empty list of listeners. For stored values, use `createStoredValue`. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: () => listeners.forEach((listener) => listener()),
  };
}

/** Reason why this browser does not store a value: storage is full, blocked, or written by a newer console version. */
export type StorageTrouble = 'full' | 'blocked' | 'newer';

const troubles = new Map<string, StorageTrouble>();
const listeners = createListeners();

/** Records why a value could not be stored. Null records that storing works again. */
export function noteStorage(what: string, trouble: StorageTrouble | null): void {
  if ((troubles.get(what) ?? null) === trouble) return;
  if (trouble === null) troubles.delete(what);
  else troubles.set(what, trouble);
  listeners.tell();
}

/** Returns the most serious reason why this browser cannot store the page's data; null for none. */
export function useStorageTrouble(): StorageTrouble | null {
  return useSyncExternalStore(listeners.subscribe, gravest, () => null);
}

export function troubleOf(error: unknown): StorageTrouble {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError' || name === 'NS_ERROR_DOM_QUOTA_REACHED') return 'full';
  return name === 'VersionError' ? 'newer' : 'blocked';
}

function gravest(): StorageTrouble | null {
  const all = [...troubles.values()];
  return (['full', 'newer', 'blocked'] as const).find((trouble) => all.includes(trouble)) ?? null;
}
