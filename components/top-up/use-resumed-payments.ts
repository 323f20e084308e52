'use client';

import { useEffect } from 'react';
import { onRecovered } from '@/lib/browser/connection/connection';
import { loadCode } from '@/lib/browser/page/load-code';
import { useReads } from '@/lib/browser/reads/use-read';
import { useStoredValue } from '@/lib/browser/storage/stored-value';
import { keptPayments, type TrackedPayment, usePayments } from './tracked-payments';

/**
 * Returns the payments of this browser and resumes earlier ones. While `isComing` is true, the payment code is loading
 * and the page must not offer a new payment.
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
        // The shell shows the failure, and the code loads again when the gateway answers.
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
