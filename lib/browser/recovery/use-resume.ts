'use client';

import type { CallCredential } from '@/lib/client';
import { useCallback, useEffect, useRef } from 'react';
import { type Credential, useCredential } from '../credential';

/** Who has to pay before a call goes on: exactly this credential, any wallet, or whoever pays now. */
export type AwaitedPayer = CallCredential | 'any-wallet' | 'same';

/**
 * Lets an interrupted call go on by itself: at once where the awaited payer pays already, else as soon as the page
 * calls with it. Only what was awaited sets it off, so that a call of long ago is not sent because somebody changed
 * who pays for another reason.
 */
export function useResume(send: (presented: CallCredential) => void): (awaited: AwaitedPayer) => void {
  const credential = useCredential();
  const waiting = useRef<AwaitedPayer | null>(null);
  // What is awaited may be asked for by a button that is gone by then: the newest rendering counts, not its own.
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
