'use client';

import { followPayment } from '@/lib/client';
import type { QueryClient } from '@tanstack/react-query';
import { gatewayOptions } from '../gateway';
import { dropPayment, keepPayment, keptPayments, type KeptPayment } from './kept-payments';
import { keepReceipt, receiptOf } from './receipts';
import { noteProgress, type PaymentProgress, trackedPayments, trackPayment } from './tracked-payments';

const SENDING: PaymentProgress = { status: 'sending' };

const running = new Set<string>();

/** Keeps a signed payment, then sends it until it has ended. */
export function startPayment(kept: KeptPayment, queries: QueryClient): void {
  const isKept = keepPayment(kept);
  trackPayment({ kept, progress: SENDING, isResumed: false, isOnPageOnly: !isKept });
  void follow(kept, queries);
}

/** Takes up what an earlier page, or another tab, signed and kept. Doing so twice does nothing more. */
export function resumePayments(queries: QueryClient): void {
  for (const kept of keptPayments.get()) {
    if (trackedPayments().some((each) => each.kept.id === kept.id)) continue;
    trackPayment({ kept, progress: SENDING, isResumed: true, isOnPageOnly: false });
    void follow(kept, queries);
  }
}

/** Sends a payment again whose answer said nothing of it. */
export function retryPayment(id: string, queries: QueryClient): void {
  const payment = trackedPayments().find(({ kept }) => kept.id === id);
  if (payment === undefined || running.has(id)) return;
  trackPayment({ ...payment, progress: SENDING });
  void follow(payment.kept, queries);
}

async function follow(kept: KeptPayment, queries: QueryClient): Promise<void> {
  if (running.has(kept.id)) return;
  running.add(kept.id);
  try {
    const outcome = await followPayment(gatewayOptions(), kept.payment, {
      onOutcome: (said) => {
        if (said.state === 'pending') noteProgress(kept.id, { status: 'pending', outcome: said });
      },
    });
    if (outcome.state === 'credited') {
      keepReceipt(receiptOf(kept, outcome));
      noteProgress(kept.id, { status: 'credited', outcome });
    } else noteProgress(kept.id, { status: 'refused', outcome });
    dropPayment(kept.id);
    await Promise.all(CHANGED_BY_PAYMENT.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  } catch (thrown) {
    noteProgress(kept.id, { status: 'stopped', error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
  } finally {
    running.delete(kept.id);
  }
}

/** What the console has read that a payment changes: tokens on chain, the balance in the top bar, the movements of it. */
const CHANGED_BY_PAYMENT = ['chain', 'balance', 'movements'] as const;
