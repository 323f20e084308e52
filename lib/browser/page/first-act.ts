'use client';

import { useEffect, useRef } from 'react';

const ACTS = ['pointerdown', 'keydown'] as const;

/** Calls `onAct`, to preload code, at the first pointer press and the first key press. */
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
