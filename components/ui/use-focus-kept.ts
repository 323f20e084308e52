'use client';

import { useEffect, useRef } from 'react';

/** Dialogs give the focus back in their own time; what is left on the page's body after that is lost. */
const SETTLED_MS = 80;
/** What takes its place may still have to load: so often it is looked whether what has the focus is gone. */
const LOOKS_MAX = 40;

/**
 * Keeps the focus on the page where a change takes away what had it: a button that goes, a dialog whose opener went.
 * @param state changes with whatever can take the focus away
 * @param refuge where it goes then; null leaves it
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
