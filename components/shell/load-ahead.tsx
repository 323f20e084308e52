'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { useFirstAct } from '@/lib/browser/first-act';
import { TroubleStrips } from './status/status-strips';

/** Loads with the first sign of a person what has to be there when the gateway is not: why a call failed, and what is wrong here. */
export function LoadAhead() {
  useFirstAct(() => {
    FailureCard.preload();
    TroubleStrips.preload();
  });
  return null;
}
