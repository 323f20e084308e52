'use client';

import { useSyncExternalStore } from 'react';

/** Part of the shell that several controls can open. */
export interface Opened {
  /** @param focusAfter returns the element to focus after closing; by default the control that opened the part */
  set(isOpen: boolean, focusAfter?: () => HTMLElement | null): void;
  /** Element to focus after closing; null for the control that opened the part. */
  focusAfter(): HTMLElement | null;
  use(): boolean;
}

export const payerPanel = createOpened();
export const shortcutSheet = createOpened();
export const faucetDialog = createOpened();

function createOpened(): Opened {
  const listeners = new Set<() => void>();
  let current = false;
  let back: (() => HTMLElement | null) | undefined;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    set(isOpen, focusAfter) {
      if (isOpen) back = focusAfter;
      current = isOpen;
      listeners.forEach((listener) => listener());
    },
    focusAfter: () => back?.() ?? null,
    use: () =>
      useSyncExternalStore(
        subscribe,
        () => current,
        () => false,
      ),
  };
}
