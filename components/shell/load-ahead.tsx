'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { loadCode } from '@/lib/browser/load-code';
import { type ReactNode, useEffect, useState } from 'react';
import { TroubleStrips } from './status/status-strips';

const ACTS = ['pointerdown', 'keydown'] as const;

/**
 * Loads with the first sign of a person what has to be there when the gateway is not: why a call failed, and what is
 * wrong here; and what keeps focus and scroll positions, of which there are none to keep before.
 */
export function LoadAhead() {
  const [keepers, setKeepers] = useState<ReactNode>(null);
  useEffect(() => {
    const load = () => {
      // That sign may be what leads to another page.
      const from = window.location.pathname;
      loadCode(() => import('./keepers')).then(
        ({ Keepers }) => setKeepers(<Keepers from={from} />),
        () => undefined,
      );
      FailureCard.preload();
      TroubleStrips.preload();
    };
    for (const act of ACTS) window.addEventListener(act, load, { once: true, passive: true, capture: true });
    return () => ACTS.forEach((act) => window.removeEventListener(act, load, { capture: true }));
  }, []);
  return keepers;
}
