'use client';

import type { SignedPayment } from '@/lib/client';
import { troubleOf } from '../storage-trouble';
import { createStoredValue, type StoredValue } from '../stored-value';
import type { WalletFamily } from '../wallet/wallet-address';

/**
 * Signed payment in progress. However often it is sent, the gateway credits it once, to its signer. So an attacker who
 * reads it from storage gains nothing.
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

/** Payments in progress. In local storage, because a reload, a crash or a closed window must not lose a payment. */
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
 *
 * @returns whether the payment was stored, verified by reading it
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

/** Frees the reserved space after the payment is stored or was not signed. */
export function giveRoomBack(): void {
  try {
    localStorage.removeItem(ROOM_KEY);
  } catch {
    // Blocked storage: nothing to remove.
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
