'use client';

import type { SentRequest, SignatureCheck } from '@/lib/client/private-chat';
import { useSyncExternalStore } from 'react';
import type { Answer } from './conversation';

/** What crossed the wire for one answer, byte for byte. Kept while the page is open, and nowhere else. */
export interface Exchange {
  sent: SentRequest;
  /** The event stream as it came; null while it runs, and of one that was cut. */
  receivedText: string | null;
  /** Whether that is the bytes in hex, as of an answer that is encrypted as a whole. */
  isReceivedHex: boolean;
  receivedHash: string | null;
  signature: SignatureCheck | null;
}

const EXCHANGES_MAX = 50;
const exchanges = new Map<string, Exchange>();
const listeners = new Set<() => void>();

/** Notes what crossed the wire for a turn; what was noted longest ago is dropped first. */
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
  listeners.forEach((listener) => listener());
}

export function forgetExchange(turnId: string): void {
  if (exchanges.delete(turnId)) listeners.forEach((listener) => listener());
}

export function forgetExchanges(): void {
  exchanges.clear();
  listeners.forEach((listener) => listener());
}

export function exchangeOf(turnId: string): Exchange | null {
  return exchanges.get(turnId) ?? null;
}

/** Whether anything was sent for an answer. After a reload only its words tell: the bytes are gone. */
export function hasCrossedWire({ text }: Pick<Answer, 'text'>, exchange: Exchange | null): boolean {
  return exchange !== null || text !== '';
}

export function useExchange(turnId: string): Exchange | null {
  return useSyncExternalStore(
    subscribe,
    () => exchangeOf(turnId),
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
