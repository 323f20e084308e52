'use client';

import { type RefObject, useRef } from 'react';

/** Scrolls the list to its first option, which Enter chooses. The list would otherwise keep its scroll position. */
export function useBestMatchShown(): { list: RefObject<HTMLDivElement | null>; showBestMatch: () => void } {
  const list = useRef<HTMLDivElement>(null);
  return { list, showBestMatch: () => void requestAnimationFrame(() => list.current?.scrollTo({ top: 0 })) };
}
