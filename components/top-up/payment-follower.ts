'use client';

import { followPayment } from '@/lib/client';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { queryClient } from '@/lib/browser/reads/query-client';
import type { ReadCache } from '@/lib/browser/reads/read-cache';
import { chainChanged } from '@/lib/browser/wallet/use-switch-chain';
import {
  dropPayment,
  keepPayment,
  type KeptPayment,
  keptPayments,
  noteProgress,
  type PaymentProgress,
  trackedPayments,
  trackPayment,
} from './tracked-payments';
import { keepReceipt, receiptOf } from './receipts';

const SENDING: PaymentProgress = { status: 'sending' };

const running = new Set<string>();

/** Stores a signed payment and sends it until the gateway has credited or refused it. */
export function startPayment(kept: KeptPayment, reads: ReadCache): void {
  const isKept = keepPayment(kept);
  trackPayment({ kept, progress: SENDING, isResumed: false, isOnPageOnly: !isKept });
  void follow(kept, reads);
}

/** Resumes payments that an earlier page or another tab has signed. Idempotent. */
export function resumePayments(reads: ReadCache): void {
  // Oldest first, so that the newest payment is tracked last and comes first in the list.
  for (const kept of keptPayments.get().toReversed()) {
    if (trackedPayments().some((each) => each.kept.id === kept.id)) continue;
    trackPayment({ kept, progress: SENDING, isResumed: true, isOnPageOnly: false });
    void follow(kept, reads);
  }
}

/** Sends a payment again after an inconclusive answer. */
export function retryPayment(id: string, reads: ReadCache): void {
  const payment = trackedPayments().find(({ kept }) => kept.id === id);
  if (payment === undefined || running.has(id)) return;
  trackPayment({ ...payment, progress: SENDING, isSeen: false });
  void follow(payment.kept, reads);
}

async function follow(kept: KeptPayment, reads: ReadCache): Promise<void> {
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
    await Promise.all([
      chainChanged(reads),
      reads.readAgain(['balance']),
      queryClient.invalidateQueries({ queryKey: ['movements'] }),
      queryClient.invalidateQueries({ queryKey: ['withdrawals'] }),
    ]);
  } catch (thrown) {
    noteProgress(kept.id, { status: 'stopped', error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
  } finally {
    running.delete(kept.id);
  }
}
