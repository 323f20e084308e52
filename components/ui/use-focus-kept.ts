'use client';

import { useEffect, useRef } from 'react';

/** Dialogs restore focus within this time. Afterwards, focus on the body counts as lost. */
const SETTLED_MS = 80;
/**
 * Maximum number of checks for lost focus. The focused element may stay on the page until its replacement has loaded.
 */
const LOOKS_MAX = 40;

/**
 * Keeps focus on the page when a change removes the focused element, such as a button or a dialog's opener.
 * @param state text that differs whenever the focused element may have been removed
 * @param refuge returns the element to focus instead; null leaves focus where it is
 */
export function useFocusKept(state: string, refuge: () => HTMLElement | null): void {
  const before = useRef(state);
  const latest = useRef(refuge);
  useEffect(() => {
    latest.current = refuge;
  });
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    const focused = document.activeElement;
    let looks = 0;
    const look = () => {
      const now = document.activeElement;
      if (now === document.body || now === null) latest.current()?.focus({ preventScroll: true });
      else if (now === focused && ++looks < LOOKS_MAX) timer = setTimeout(look, SETTLED_MS);
    };
    let timer = setTimeout(look, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [state]);
}
