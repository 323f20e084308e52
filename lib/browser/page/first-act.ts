'use client';

import { useEffect, useRef } from 'react';

const ACTS = ['pointerdown', 'keydown'] as const;

/** Calls `onAct` once, at the first pointer or key press on this page, to preload code. */
export function useFirstAct(onAct: () => void): void {
  const latest = useRef(onAct);
  useEffect(() => {
    latest.current = onAct;
  });
  useEffect(() => {
    const act = () => latest.current();
    for (const name of ACTS) window.addEventListener(name, act, { once: true, passive: true, capture: true });
    return () => ACTS.forEach((name) => window.removeEventListener(name, act, { capture: true }));
  }, []);
}
