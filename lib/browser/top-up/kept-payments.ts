'use client';

import type { SignedPayment } from '@/lib/client';
import { troubleOf } from '../storage-trouble';
import { createStoredValue, type StoredValue } from '../stored-value';
import type { WalletFamily } from '../wallet/wallet-address';

/**
 * A payment that a wallet has signed and that has not ended yet. It may be sent any number of times and is credited
 * once, to whoever signed it: nobody gains by reading it here.
 */
export interface KeptPayment {
  id: string;
  /** Value of the PAYMENT-SIGNATURE header. */
  payment: SignedPayment;
  family: WalletFamily;
  payer: string;
  /** CAIP-2. */
  network: string;
  rpcNetwork: string;
  isStandIn: boolean;
  /** Of the network, for people. */
  title: string;
  /** Whole tokens, as `12.50`. */
  amount: string;
  symbol: string;
  signedAtMs: number;
  /** When it can no longer be executed; on Solana an estimate. */
  expiresAtMs: number;
}

const KEPT_MAX = 10;
const KEY = 'turnpike.payments';

/** The payments under way, in this browser beyond the tab: a reload, a crash or a closed window must not lose one. */
export const keptPayments: StoredValue<readonly KeptPayment[]> = createStoredValue<readonly KeptPayment[]>({
  key: KEY,
  initial: [],
  parse: parseKeptPayments,
});

/** Room for one payment: a signed transfer is some 2 KB, on any chain. */
const ROOM_KEY = 'turnpike.payments-room';
const ROOM_CHARACTERS = 16_384;

/**
 * Takes room for a payment before it is signed, so that a full storage is found out while nothing has been signed.
 * @returns false where the storage is full; where it is blocked altogether there is nothing to take
 */
export function takeRoom(): boolean {
  try {
    localStorage.setItem(ROOM_KEY, ' '.repeat(ROOM_CHARACTERS));
    return true;
  } catch (error) {
    return troubleOf(error) !== 'full';
  }
}

/** Keeps a payment. To be called before it is sent for the first time. @returns whether it is there, read back */
export function keepPayment(payment: KeptPayment): boolean {
  giveRoomBack();
  keptPayments.set([payment, ...keptPayments.get().filter(({ id }) => id !== payment.id)].slice(0, KEPT_MAX));
  try {
    return localStorage.getItem(KEY)?.includes(payment.payment) ?? false;
  } catch {
    return false;
  }
}

/** What was taken is needed no more: the payment is kept, or was not signed. */
export function giveRoomBack(): void {
  try {
    localStorage.removeItem(ROOM_KEY);
  } catch {
    // Blocked storage holds nothing.
  }
}

/** Drops a payment that has ended. */
export function dropPayment(id: string): void {
  if (keptPayments.get().some((kept) => kept.id === id))
    keptPayments.set(keptPayments.get().filter((kept) => kept.id !== id));
}

/** Takes what is whole; an older or a foreign shape must not break the page. */
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
