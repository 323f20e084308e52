'use client';

import { useCallback } from 'react';
import { useBrowserStore } from './browser-store';

/** Returns whether the media query matches; false on the server. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useBrowserStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
