'use client';

import type { PaymentOutcome } from '@/lib/client';
import { useBrowserStore } from '../browser-store';
import { dropPayment, type KeptPayment } from './kept-payments';
import { createListeners } from '../listeners';

type Pending = Extract<PaymentOutcome, { state: 'pending' }>;

export type PaymentProgress =
  | { status: 'sending' }
  | { status: 'pending'; outcome: Pending }
  | { status: 'credited'; outcome: Extract<PaymentOutcome, { state: 'credited' }> }
  | { status: 'refused'; outcome: Extract<PaymentOutcome, { state: 'refused' }> }
  /** The answer was inconclusive. The payment is stored, and the user can send it again. */
  | { status: 'stopped'; error: Error };

/** Payment of this browser that is in progress or has ended since the page loaded. */
export interface TrackedPayment {
  kept: KeptPayment;
  progress: PaymentProgress;
  /** True if this page resumed the payment after a reload or from another tab. */
  isResumed: boolean;
  /** True if storage does not have the payment, so that closing the page loses it. */
  isOnPageOnly: boolean;
  isShown?: boolean;
  /** True if the page showed the outcome long enough; otherwise the console's shell shows it. */
  isSeen?: boolean;
}

let tracked: readonly TrackedPayment[] = [];
const listeners = createListeners();

/** Returns the payments of this browser, newest first. The first payment loads `payment-follower.ts`. */
export function usePayments(): readonly TrackedPayment[] {
  return useBrowserStore(listeners.subscribe, trackedPayments, () => NONE);
}

const NONE: readonly TrackedPayment[] = [];

export function trackedPayments(): readonly TrackedPayment[] {
  return tracked;
}

export function trackPayment(payment: TrackedPayment): void {
  const isKnown = tracked.some(({ kept }) => kept.id === payment.kept.id);
  change(isKnown ? tracked.map((each) => (each.kept.id === payment.kept.id ? payment : each)) : [payment, ...tracked]);
}

export function noteProgress(id: string, progress: PaymentProgress): void {
  change(tracked.map((each) => (each.kept.id === id ? { ...each, progress } : each)));
}

/** Records whether the page shows a payment, and whether the user saw its outcome. */
export function notePaymentView(id: string, view: Pick<TrackedPayment, 'isShown' | 'isSeen'>): void {
  change(tracked.map((each) => (each.kept.id === id ? { ...each, ...view } : each)));
}

export function dismissSeenReceipts(): void {
  for (const { kept, progress, isSeen } of tracked)
    if (isSeen && progress.status === 'credited') dismissPayment(kept.id);
}

/** Removes an ended payment from the page and from storage. */
export function dismissPayment(id: string): void {
  dropPayment(id);
  change(tracked.filter(({ kept }) => kept.id !== id));
}

function change(next: readonly TrackedPayment[]): void {
  tracked = next;
  listeners.tell();
}
