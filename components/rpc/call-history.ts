'use client';

import { newId } from '@/lib/browser/page/new-id';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

/** RPC call made in the console, without its credential, Idempotency-Key and answer. */
export interface PastCall {
  id: string;
  sentAtMs: number;
  network: string;
  method: string;
  callCount: number;
  requestText: string;
  outcome: CallOutcome;
  latencyMs: number | null;
  credits: number | null;
  costUsd: string | null;
  requestId: string | null;
}

export const CALL_OUTCOMES = ['ok', 'rpc-error', 'refused', 'unreachable'] as const;
/** Outcome: only results, a JSON-RPC error, a refusal by the gateway, or no usable response. */
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

const CALLS_MAX = 50;
/** Maximum length of a stored request text. Browser storage holds about 5 MB in all. */
const REQUEST_CHARACTERS_MAX = 40_000;

const historyStore = createStoredValue<readonly PastCall[]>({
  key: 'turnpike.rpc-history',
  initial: [],
  parse: parseHistory,
});

export function useCallHistory(): readonly PastCall[] {
  return useStoredValue(historyStore);
}

export function rememberCall(call: Omit<PastCall, 'id'>): void {
  const requestText = call.requestText.length > REQUEST_CHARACTERS_MAX ? '' : call.requestText;
  historyStore.set([{ ...call, requestText, id: newId() }, ...historyStore.get()].slice(0, CALLS_MAX));
}

export function forgetCalls(): void {
  historyStore.set([]);
}

export function parseHistory(stored: unknown): readonly PastCall[] | null {
  return Array.isArray(stored) ? stored.filter(isPastCall).slice(0, CALLS_MAX) : null;
}

function isPastCall(value: unknown): value is PastCall {
  if (typeof value !== 'object' || value === null) return false;
  const call = value as Record<keyof PastCall, unknown>;
  const texts = [call.id, call.network, call.method, call.requestText];
  const optionalNumbers = [call.latencyMs, call.credits];
  const optionalTexts = [call.costUsd, call.requestId];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof call.sentAtMs === 'number' &&
    typeof call.callCount === 'number' &&
    CALL_OUTCOMES.some((outcome) => outcome === call.outcome) &&
    optionalNumbers.every((number) => number === null || typeof number === 'number') &&
    optionalTexts.every((text) => text === null || typeof text === 'string')
  );
}
