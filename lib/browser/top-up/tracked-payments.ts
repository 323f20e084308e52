'use client';

import type { PaymentOutcome } from '@/lib/client';
import { useBrowserStore } from '../browser-store';
import { dropPayment, type KeptPayment } from './kept-payments';

type Pending = Extract<PaymentOutcome, { state: 'pending' }>;

/** How far a payment is. */
export type PaymentProgress =
  | { status: 'sending' }
  | { status: 'pending'; outcome: Pending }
  | { status: 'credited'; outcome: Extract<PaymentOutcome, { state: 'credited' }> }
  | { status: 'refused'; outcome: Extract<PaymentOutcome, { state: 'refused' }> }
  /** An answer said nothing of the payment; it is kept, and can be sent again. */
  | { status: 'stopped'; error: Error };

/** A payment of this browser: under way, or ended since the page was loaded. */
export interface TrackedPayment {
  kept: KeptPayment;
  progress: PaymentProgress;
  /** Taken up after a reload, or from another tab. */
  isResumed: boolean;
  /** Whether it is only on this page: closed, the browser has it no more. */
  isOnPageOnly: boolean;
  /** Whether it is shown where payments are, at this moment. */
  isShown?: boolean;
  /** Whether its end was there long enough to be read; where it was not, the frame of the console says it. */
  isSeen?: boolean;
}

let tracked: readonly TrackedPayment[] = [];
const listeners = new Set<() => void>();

/** The payments of this browser, newest first. What follows them is `payment-follower.ts`, which loads with the first one. */
export function usePayments(): readonly TrackedPayment[] {
  return useBrowserStore(subscribe, trackedPayments, () => NONE);
}

const NONE: readonly TrackedPayment[] = [];

/** The same, as they are now. */
export function trackedPayments(): readonly TrackedPayment[] {
  return tracked;
}

/** Puts a payment first, or in its place where it is tracked already. */
export function trackPayment(payment: TrackedPayment): void {
  const isKnown = tracked.some(({ kept }) => kept.id === payment.kept.id);
  change(isKnown ? tracked.map((each) => (each.kept.id === payment.kept.id ? payment : each)) : [payment, ...tracked]);
}

/** Notes how far a tracked payment is. */
export function noteProgress(id: string, progress: PaymentProgress): void {
  change(tracked.map((each) => (each.kept.id === id ? { ...each, progress } : each)));
}

/** Notes whether a payment is shown, and whether its end was seen. */
export function notePaymentView(id: string, view: Pick<TrackedPayment, 'isShown' | 'isSeen'>): void {
  change(tracked.map((each) => (each.kept.id === id ? { ...each, ...view } : each)));
}

/** Takes off the page the receipts that were seen. */
export function dismissSeenReceipts(): void {
  for (const { kept, progress, isSeen } of tracked)
    if (isSeen && progress.status === 'credited') dismissPayment(kept.id);
}

/** Takes a payment off the page, and out of this browser's storage. For one that has ended. */
export function dismissPayment(id: string): void {
  dropPayment(id);
  change(tracked.filter(({ kept }) => kept.id !== id));
}

function change(next: readonly TrackedPayment[]): void {
  tracked = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
