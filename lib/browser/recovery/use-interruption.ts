'use client';

import { useEffect, useRef } from 'react';
import { forgetInterrupted, type InterruptedKind, noteInterrupted, useIsSolved } from './interrupted-call';
import type { AwaitedPayer } from './use-resume';

/**
 * Remembers a failed call, so that the user can top up on another page and then return to the call.
 * @param kind kind of call; undefined for a call without a page to return to
 * @param waitsForMoney whether the call waits for money
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
