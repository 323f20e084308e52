'use client';

import {
  createListeners,
  createStoredValue,
  type StoredValue,
  troubleOf,
  useBrowserStore,
} from '@/lib/browser/storage/stored-value';
import type { WalletFamily } from '@/lib/browser/wallet/wallet-store';
import type { PaymentOutcome, SignedPayment } from '@/lib/client';

type Pending = Extract<PaymentOutcome, { state: 'pending' }>;

export type PaymentProgress =
  | { status: 'sending' }
  | { status: 'pending'; outcome: Pending }
  | { status: 'credited'; outcome: Extract<PaymentOutcome, { state: 'credited' }> }
  | { status: 'refused'; outcome: Extract<PaymentOutcome, { state: 'refused' }> }
  /** The answer was inconclusive. The payment is stored, and the user can send it again. */
  | { status: 'stopped'; error: Error };

/** Payment that is in progress or has ended since the page loaded. */
export interface TrackedPayment {
  kept: KeptPayment;
  progress: PaymentProgress;
  /** True if this page resumed the payment after a reload or from another tab. */
  isResumed: boolean;
  /** True if storage lacks the payment, so that closing the page loses it. */
  isOnPageOnly: boolean;
  isShown?: boolean;
  /** True if the page showed the outcome long enough. Otherwise the frame around all pages shows it. */
  isSeen?: boolean;
}

let tracked: readonly TrackedPayment[] = [];
const listeners = createListeners();

/** Returns the payments of this browser, last tracked first. */
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

/**
 * Signed payment in progress. An attacker who reads the payment gains nothing, because the gateway credits each payment
 * only once and only to its signer.
 */
export interface KeptPayment {
  id: string;
  payment: SignedPayment;
  family: WalletFamily;
  payer: string;
  /** CAIP-2 id. */
  network: string;
  rpcNetwork: string;
  isStandIn: boolean;
  title: string;
  /** Whole tokens, such as `12.50`. */
  amount: string;
  symbol: string;
  signedAtMs: number;
  /** Time after which the chain rejects the payment; on Solana an estimate. */
  expiresAtMs: number;
}

const KEPT_MAX = 10;
const KEY = 'turnpike.payments';

/** In local storage, because a reload, a crash or a closed window must not lose a payment. */
export const keptPayments: StoredValue<readonly KeptPayment[]> = createStoredValue<readonly KeptPayment[]>({
  key: KEY,
  initial: [],
  parse: parseKeptPayments,
});

/** Storage key of the space reserved for one payment. A signed transfer is about 2 KB on any chain. */
const ROOM_KEY = 'turnpike.payments-room';
const ROOM_CHARACTERS = 16_384;

/**
 * Reserves space for a payment before the wallet signs, so that the page detects full storage in time.
 * @returns false if storage is full; true if reserved, or if storage is blocked
 */
export function takeRoom(): boolean {
  try {
    localStorage.setItem(ROOM_KEY, ' '.repeat(ROOM_CHARACTERS));
    return true;
  } catch (error) {
    return troubleOf(error) !== 'full';
  }
}

/**
 * Stores a payment. Call it before sending the payment.
 * @returns whether the payment was stored, verified by reading it back
 */
export function keepPayment(payment: KeptPayment): boolean {
  giveRoomBack();
  keptPayments.set([payment, ...keptPayments.get().filter(({ id }) => id !== payment.id)].slice(0, KEPT_MAX));
  try {
    return localStorage.getItem(KEY)?.includes(payment.payment) ?? false;
  } catch {
    return false;
  }
}

/** Frees the reserved space after the payment is stored, or if the wallet does not sign. */
export function giveRoomBack(): void {
  try {
    localStorage.removeItem(ROOM_KEY);
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}

export function dropPayment(id: string): void {
  if (keptPayments.get().some((kept) => kept.id === id))
    keptPayments.set(keptPayments.get().filter((kept) => kept.id !== id));
}

export function parseKeptPayments(stored: unknown): readonly KeptPayment[] | null {
  return Array.isArray(stored) ? stored.filter(isKeptPayment).slice(0, KEPT_MAX) : null;
}

function isKeptPayment(value: unknown): value is KeptPayment {
  if (typeof value !== 'object' || value === null) return false;
  const kept = value as Record<keyof KeptPayment, unknown>;
  const texts = [kept.id, kept.payer, kept.network, kept.rpcNetwork, kept.title, kept.amount, kept.symbol];
  return (
    texts.every((text) => typeof text === 'string') &&
    (kept.family === 'evm' || kept.family === 'solana') &&
    typeof kept.isStandIn === 'boolean' &&
    typeof kept.payment === 'string' &&
    /^[A-Za-z0-9+/_=-]+$/.test(kept.payment) &&
    [kept.signedAtMs, kept.expiresAtMs].every((at) => typeof at === 'number' && Number.isFinite(at))
  );
}
