'use client';

import type { CallCredential } from '@/lib/client';
import { useCallback, useEffect, useRef } from 'react';
import { type Credential, useCredential } from '../credential';

/** Payment method that a waiting call needs: a given credential, any wallet, or (`same`) the payment method in use. */
export type AwaitedPayer = CallCredential | 'any-wallet' | 'same';

/**
 * Resumes an interrupted call when the awaited payment method is in use. Other changes never resume it, because the
 * user might no longer want an old call.
 */
export function useResume(send: (presented: CallCredential) => void): (awaited: AwaitedPayer) => void {
  const credential = useCredential();
  const waiting = useRef<AwaitedPayer | null>(null);
  // Values of the latest rendering, because the button that started the call may be gone.
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
