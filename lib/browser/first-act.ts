'use client';

import { useEffect, useRef } from 'react';

const ACTS = ['pointerdown', 'keydown'] as const;

/** Calls once with the first press of a pointer or key on this page, for what is to be loaded before it is needed. */
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
