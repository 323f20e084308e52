'use client';

import type { SentRequest, SignatureCheck } from '@/lib/client/private-chat';
import { useSyncExternalStore } from 'react';
import type { Answer } from './conversation';
import { createListeners } from '@/lib/browser/storage/stored-value';

/** Bytes sent and received for one answer. Kept only in memory. */
export interface Exchange {
  sent: SentRequest;
  /** Event stream as received; null until complete. */
  receivedText: string | null;
  /** True if `receivedText` is hex, because the answer was encrypted as a whole. */
  isReceivedHex: boolean;
  receivedHash: string | null;
  signature: SignatureCheck | null;
}

const EXCHANGES_MAX = 50;
const exchanges = new Map<string, Exchange>();
const listeners = createListeners();

/** Stores the exchange of a turn. Keeps only the newest EXCHANGES_MAX exchanges. */
export function noteExchange(turnId: string, change: Partial<Exchange> & Pick<Exchange, 'sent'>): void {
  const before = exchanges.get(turnId);
  exchanges.delete(turnId);
  exchanges.set(turnId, {
    receivedText: null,
    isReceivedHex: false,
    receivedHash: null,
    signature: null,
    ...(before?.sent === change.sent ? before : {}),
    ...change,
  });
  if (exchanges.size > EXCHANGES_MAX) exchanges.delete(exchanges.keys().next().value as string);
  listeners.tell();
}

export function forgetExchange(turnId: string): void {
  if (exchanges.delete(turnId)) listeners.tell();
}

export function forgetExchanges(): void {
  exchanges.clear();
  listeners.tell();
}

export function exchangeOf(turnId: string): Exchange | null {
  return exchanges.get(turnId) ?? null;
}

/**
 * Returns whether this browser sent the question. A reload discards the exchange. Then only received text proves that
 * the question was sent.
 */
export function hasCrossedWire({ text }: Pick<Answer, 'text'>, exchange: Exchange | null): boolean {
  return exchange !== null || text !== '';
}

export function useExchange(turnId: string): Exchange | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => exchangeOf(turnId),
    () => null,
  );
}
