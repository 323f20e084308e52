'use client';

import { useSyncExternalStore } from 'react';

/** Whether a part of the frame is open that several controls, keys or searches open. */
export interface Opened {
  /** @param focusAfter what gets the focus when it closes again; left out, that is its own control */
  set(isOpen: boolean, focusAfter?: () => HTMLElement | null): void;
  /** What gets the focus when it closes; null leaves that to its own control. */
  focusAfter(): HTMLElement | null;
  /** As a hook. */
  use(): boolean;
}

/** Who pays, and who else could. */
export const payerPanel = createOpened();
/** All keys of the console. */
export const shortcutSheet = createOpened();

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
