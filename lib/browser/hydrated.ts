'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Whether the page has come alive: false on the server and in what it sent, until React has taken that over. Fields
 * that hold a value of React's are read-only until then, because React puts its own value over what was typed before.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(never, () => true, () => false);
}
