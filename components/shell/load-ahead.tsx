'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { loadCode } from '@/lib/browser/page/load-code';
import { type ReactNode, useEffect, useState } from 'react';
import { TroubleStrips } from './status/status-strips';

const ACTS = ['pointerdown', 'keydown'] as const;

/**
 * At the user's first input, loads code that must work without the gateway: failure texts, and the components that
 * restore focus and scroll positions.
 */
export function LoadAhead() {
  const [keepers, setKeepers] = useState<ReactNode>(null);
  useEffect(() => {
    const load = (input: Event) => {
      // Reads path and target before the code loads, because the input may open another page and remove the target.
      const from = window.location.pathname;
      const path = input.composedPath();
      loadCode(() => import('./keepers')).then(
        ({ Keepers }) => setKeepers(<Keepers from={from} path={path} />),
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
