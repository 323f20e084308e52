'use client';

import { type Credential, useCredential } from '@/lib/browser/credential/credential';
import type { CallCredential } from '@/lib/client';
import { useCallback, useEffect, useRef } from 'react';
import { forgetInterrupted, type InterruptedKind, noteInterrupted, useIsSolved } from './interrupted-call';

/**
 * Payment method that an interrupted call needs: a given credential, any wallet, or (`same`) the payment method in use.
 */
export type AwaitedPayer = CallCredential | 'any-wallet' | 'same';

/**
 * Resumes an interrupted call when the awaited payment method is in use. No other change resumes a call, because the
 * user might no longer want it.
 */
export function useResume(send: (presented: CallCredential) => void): (awaited: AwaitedPayer) => void {
  const credential = useCredential();
  const waiting = useRef<AwaitedPayer | null>(null);
  // Latest values, because the returned function may be called after the component has unmounted.
  const latest = useRef({ credential, send });
  const goOn = useCallback(() => {
    const { credential: now, send: sendNow } = latest.current;
    if (waiting.current === null || now.presented === null || !isAwaited(waiting.current, now)) return;
    waiting.current = null;
    sendNow(now.presented);
  }, []);
  useEffect(() => {
    latest.current = { credential, send };
    goOn();
  });
  return useCallback(
    (awaited) => {
      waiting.current = awaited;
      goOn();
    },
    [goOn],
  );
}

function isAwaited(awaited: AwaitedPayer, { kind, presented }: Credential): boolean {
  if (awaited === 'same') return true;
  return awaited === 'any-wallet' ? kind === 'wallet' : JSON.stringify(awaited) === JSON.stringify(presented);
}

/**
 * Remembers a failed call, so that the user can top up on another page and then return to the call.
 * @param kind kind of call; undefined if the call has no page to return to
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
