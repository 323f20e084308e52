'use client';

import { useEffect } from 'react';
import { onRecovered } from '../connection/connection';
import { loadCode } from '../load-code';
import { useReads } from '../reads/use-read';
import { useStoredValue } from '../stored-value';
import { keptPayments } from './kept-payments';
import { type TrackedPayment, usePayments } from './tracked-payments';

/**
 * The payments of this browser, those taken up that an earlier page or another tab has signed. `isComing` while there
 * are some whose follower is on its way: no new payment is to be offered meanwhile.
 */
export function useResumedPayments(): { payments: readonly TrackedPayment[]; isComing: boolean } {
  const kept = useStoredValue(keptPayments);
  const reads = useReads();
  const payments = usePayments();
  useEffect(() => {
    if (kept.length === 0) return;
    let isOver = false;
    const resume = () =>
      loadCode(() => import('./payment-follower')).then(
        ({ resumePayments }) => void (isOver || resumePayments(reads)),
        // Said in the frame of the console; it is tried again once the gateway answers.
        () => undefined,
      );
    void resume();
    const stopListening = onRecovered(() => void resume());
    return () => {
      isOver = true;
      stopListening();
    };
  }, [kept, reads]);
  return { payments, isComing: payments.length === 0 && kept.length > 0 };
}
