'use client';

import { useBrowserStore } from './browser-store';
import { createStoredValue, type StoredValue, type StoredValueOptions } from './stored-value';

/** A stored value on which the open tabs of this browser agree, also where it is never written beyond a tab. */
export interface SessionValue<T> extends StoredValue<T> {
  /** Whether other tabs have been asked for it and may still answer. */
  isAsking(): boolean;
}

type TabMessage = { ask: string } | { key: string; value: unknown };

/** Other tabs answer within a few milliseconds where there are any; a busy phone takes longer. */
const ANSWERS_WITHIN_MS = 300;

/**
 * Makes a value that is secret enough to end with the last tab, as a session does, and is the same in all of them:
 * each tab has it in its own session storage, and tells the others of every change. A new tab asks the others for it.
 * Nothing leaves the browser or this origin (BroadcastChannel).
 */
export function createSessionValue<T>(options: StoredValueOptions<T>): SessionValue<T> {
  const store = createStoredValue(options);
  const { key, initial, parse } = options;
  const listeners = new Set<() => void>();
  let channel: BroadcastChannel | null = null;
  let isAsking = false;
  const notify = () => listeners.forEach((listener) => listener());
  const isHeld = () => JSON.stringify(store.get()) !== JSON.stringify(initial);
  const say = (message: TabMessage) => channel?.postMessage(message);
  const settle = () => {
    isAsking = false;
    notify();
  };
  const ask = () => {
    isAsking = true;
    say({ ask: key });
    setTimeout(settle, ANSWERS_WITHIN_MS);
  };
  const hear = ({ data }: MessageEvent<unknown>) => {
    const {
      ask: asked,
      key: told,
      value,
    } = (typeof data === 'object' && data !== null ? data : {}) as { ask?: unknown; key?: unknown; value?: unknown };
    if (asked === key && isHeld()) say({ key, value: store.get() });
    if (told !== key) return;
    // Whoever wrote it, it is read as if it came from storage.
    store.set(parse(value) ?? initial);
    settle();
  };
  const open = () => {
    if (channel !== null || typeof window === 'undefined' || typeof BroadcastChannel === 'undefined') return;
    channel = new BroadcastChannel('turnpike.session');
    channel.addEventListener('message', hear);
    // A page that comes back from the browser's cache has slept through what was said.
    window.addEventListener('pageshow', (event) => event.persisted && ask());
    if (!isHeld()) ask();
  };
  return {
    initial,
    get() {
      open();
      return store.get();
    },
    set(value) {
      open();
      const isKept = store.set(value);
      say({ key, value });
      return isKept;
    },
    isAsking: () => isAsking,
    subscribe(listener) {
      listeners.add(listener);
      const leave = store.subscribe(listener);
      return () => {
        listeners.delete(listener);
        leave();
      };
    },
  };
}

/** Whether the value may still come from another tab. */
export function useIsAsking<T>(value: SessionValue<T>): boolean {
  return useBrowserStore(value.subscribe, value.isAsking, () => false);
}
