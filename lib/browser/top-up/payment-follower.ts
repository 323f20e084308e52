'use client';

import { followPayment, type PaymentOutcome } from '@/lib/client';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { gatewayOptions } from '../gateway';
import { dropPayment, keepPayment, keptPayments, type KeptPayment } from './kept-payments';
import { keepReceipt } from './receipts';

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
}

const SENDING: PaymentProgress = { status: 'sending' };

let tracked: readonly TrackedPayment[] = [];
const running = new Set<string>();
const listeners = new Set<() => void>();

/** The payments of this browser, newest first. */
export function usePayments(): readonly TrackedPayment[] {
  return useSyncExternalStore(subscribe, () => tracked, () => NONE);
}

const NONE: readonly TrackedPayment[] = [];

/** Keeps a signed payment, then sends it until it has ended. */
export function startPayment(kept: KeptPayment, queries: QueryClient): void {
  keepPayment(kept);
  put({ kept, progress: SENDING, isResumed: false });
  void follow(kept, queries);
}

/** Takes up what an earlier page, or another tab, signed and kept. Doing so twice does nothing more. */
export function resumePayments(queries: QueryClient): void {
  for (const kept of keptPayments.get()) {
    if (tracked.some((each) => each.kept.id === kept.id)) continue;
    put({ kept, progress: SENDING, isResumed: true });
    void follow(kept, queries);
  }
}

/** Sends a payment again whose answer said nothing of it. */
export function retryPayment(id: string, queries: QueryClient): void {
  const payment = tracked.find(({ kept }) => kept.id === id);
  if (payment === undefined || running.has(id)) return;
  put({ ...payment, progress: SENDING });
  void follow(payment.kept, queries);
}

/** Takes a payment off the page, and out of this browser's storage. For one that has ended. */
export function dismissPayment(id: string): void {
  dropPayment(id);
  change(tracked.filter(({ kept }) => kept.id !== id));
}

async function follow(kept: KeptPayment, queries: QueryClient): Promise<void> {
  if (running.has(kept.id)) return;
  running.add(kept.id);
  try {
    const outcome = await followPayment(gatewayOptions(), kept.payment, {
      onOutcome: (said) => {
        if (said.state === 'pending') progress(kept.id, { status: 'pending', outcome: said });
      },
    });
    if (outcome.state === 'credited') {
      keepReceipt({ paymentId: outcome.paymentId, transaction: outcome.transaction, family: kept.family, network: kept.network, rpcNetwork: kept.rpcNetwork, isStandIn: kept.isStandIn });
      progress(kept.id, { status: 'credited', outcome });
    } else progress(kept.id, { status: 'refused', outcome });
    dropPayment(kept.id);
    await Promise.all(CHANGED_BY_PAYMENT.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  } catch (thrown) {
    progress(kept.id, { status: 'stopped', error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
  } finally {
    running.delete(kept.id);
  }
}

/** What the console has read that a payment changes: tokens on chain, the balance in the top bar, the movements of it. */
const CHANGED_BY_PAYMENT = ['chain', 'balance', 'movements'] as const;

function progress(id: string, next: PaymentProgress): void {
  change(tracked.map((each) => (each.kept.id === id ? { ...each, progress: next } : each)));
}

function put(payment: TrackedPayment): void {
  const isKnown = tracked.some(({ kept }) => kept.id === payment.kept.id);
  change(isKnown ? tracked.map((each) => (each.kept.id === payment.kept.id ? payment : each)) : [payment, ...tracked]);
}

function change(next: readonly TrackedPayment[]): void {
  tracked = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
