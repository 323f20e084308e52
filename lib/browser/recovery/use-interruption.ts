'use client';

import { useEffect, useRef } from 'react';
import { forgetInterrupted, type InterruptedKind, noteInterrupted, useIsSolved } from './interrupted-call';
import type { AwaitedPayer } from './use-resume';

/**
 * Makes a failed call one that a top-up on another page leads back to, and lets it go on when it does.
 * @param kind what was interrupted; undefined for what nothing leads back to
 * @param waitsForMoney whether money is what it waits for
 */
export function useInterruption(
  kind: InterruptedKind | undefined,
  waitsForMoney: boolean,
  goOn: (awaited: AwaitedPayer) => void,
): void {
  const isSolved = useIsSolved(kind);
  const latest = useRef(goOn);
  useEffect(() => {
    latest.current = goOn;
  });
  useEffect(() => {
    if (kind === undefined || !waitsForMoney) return;
    if (!isSolved) return noteInterrupted(kind);
    forgetInterrupted(kind);
    latest.current('same');
  }, [kind, waitsForMoney, isSolved]);
}
