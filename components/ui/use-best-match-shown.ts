'use client';

import { type RefObject, useRef } from 'react';

/**
 * Scrolls the list to its first option, the best match of a search, which Enter chooses. The list would otherwise keep
 * its earlier scroll position.
 */
export function useBestMatchShown(): { list: RefObject<HTMLDivElement | null>; showBestMatch: () => void } {
  const list = useRef<HTMLDivElement>(null);
  return { list, showBestMatch: () => void requestAnimationFrame(() => list.current?.scrollTo({ top: 0 })) };
}
