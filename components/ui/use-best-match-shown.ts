'use client';

import { type RefObject, useRef } from 'react';

/**
 * Keeps the best match of a search in view: it comes first and is what Enter takes, but the list would stay where the
 * option was that had been chosen, or the best match of the letters before.
 */
export function useBestMatchShown(): { list: RefObject<HTMLDivElement | null>; showBestMatch: () => void } {
  const list = useRef<HTMLDivElement>(null);
  return { list, showBestMatch: () => void requestAnimationFrame(() => list.current?.scrollTo({ top: 0 })) };
}
