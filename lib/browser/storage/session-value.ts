'use client';

import { createStoredValue, type StoredValue, type StoredValueOptions, useBrowserStore } from './stored-value';

export interface SessionValue<T> extends StoredValue<T> {
  /** Returns whether this tab has asked other tabs and may still get an answer. */
  isAsking(): boolean;
}

type TabMessage = { ask: string } | { key: string; value: unknown };

/** Maximum wait for other tabs, which answer within milliseconds, except on a busy phone. */
const ANSWERS_WITHIN_MS = 300;

/**
 * Creates a value that all tabs share. With `sessionOnly`, it does not outlive the last tab. Each tab stores the value
 * and broadcasts changes; a new tab asks the others. Nothing leaves this origin (BroadcastChannel).
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
    // Validates the value, because any code of this origin may have sent it.
    store.set(parse(value) ?? initial);
    settle();
  };
  const open = () => {
    if (channel !== null || typeof window === 'undefined' || typeof BroadcastChannel === 'undefined') return;
    channel = new BroadcastChannel('turnpike.session');
    channel.addEventListener('message', hear);
    // A page restored from the back/forward cache has missed broadcasts.
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

/** Returns whether the value may still come from another tab. */
export function useIsAsking<T>(value: SessionValue<T>): boolean {
  return useBrowserStore(value.subscribe, value.isAsking, () => false);
}
