'use client';

import { type RefObject, useRef } from 'react';

/**
 * Ranks an entry for cmdk from 0 (no match) to 1. Every word of the search must occur in the value or a keyword. An
 * exact match ranks highest, then a match at the start.
 */
export function rankMatch(value: string, search: string, keywords: readonly string[] = []): number {
  const wanted = search.trim().toLowerCase();
  const own = value.toLowerCase();
  const text = `${own} ${keywords.join(' ').toLowerCase()}`;
  if (!wanted.split(/\s+/).every((word) => text.includes(word))) return 0;
  if (own === wanted) return 1;
  if (own.startsWith(wanted)) return 0.9;
  if (new RegExp(`[_\\-. ]${escapeRegExp(wanted)}`).test(own)) return 0.8;
  return own.includes(wanted) ? 0.7 : 0.5;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Scrolls the list to its first option, which Enter chooses. */
export function useBestMatchShown(): { list: RefObject<HTMLDivElement | null>; showBestMatch: () => void } {
  const list = useRef<HTMLDivElement>(null);
  return { list, showBestMatch: () => void requestAnimationFrame(() => list.current?.scrollTo({ top: 0 })) };
}
