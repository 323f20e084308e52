'use client';

import { useSyncExternalStore } from 'react';

/** Whether a part of the frame is open that several controls, keys or searches open. */
export interface Opened {
  set(isOpen: boolean): void;
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
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    set(isOpen) {
      current = isOpen;
      listeners.forEach((listener) => listener());
    },
    use: () => useSyncExternalStore(subscribe, () => current, () => false),
  };
}
