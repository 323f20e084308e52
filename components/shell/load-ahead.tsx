'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { useEffect } from 'react';
import { TroubleStrips } from './status/status-strips';

const ACTS = ['pointerdown', 'keydown'] as const;

/** Loads with the first sign of a person what has to be there when the gateway is not: why a call failed, and what is wrong here. */
export function LoadAhead() {
  useEffect(() => {
    const load = () => {
      FailureCard.preload();
      TroubleStrips.preload();
    };
    for (const act of ACTS) window.addEventListener(act, load, { once: true, passive: true, capture: true });
    return () => ACTS.forEach((act) => window.removeEventListener(act, load, { capture: true }));
  }, []);
  return null;
}
