'use client';

import { newId } from '../new-id';
import { createStoredValue, useStoredValue } from '../stored-value';

/** One call made on the RPC page. Neither keys nor answers are kept. */
export interface PastCall {
  id: string;
  /** When it was sent, Unix time in milliseconds. */
  sentAtMs: number;
  network: string;
  /** The method, or the first of a batch. */
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
/** How it went: a result, a JSON-RPC error (billed 5 credits), a refusal by the gateway, or no answer. */
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

const CALLS_MAX = 50;
/** Longer requests are listed but cannot be repeated from the history; storage holds about 5 MB in all. */
const REQUEST_CHARACTERS_MAX = 40_000;

const historyStore = createStoredValue<readonly PastCall[]>({
  key: 'turnpike.rpc-history',
  initial: [],
  parse: parseHistory,
});

/** The last calls, newest first. */
export function useCallHistory(): readonly PastCall[] {
  return useStoredValue(historyStore);
}

/** Puts a call on top of the history. */
export function rememberCall(call: Omit<PastCall, 'id'>): void {
  const requestText = call.requestText.length > REQUEST_CHARACTERS_MAX ? '' : call.requestText;
  historyStore.set([{ ...call, requestText, id: newId() }, ...historyStore.get()].slice(0, CALLS_MAX));
}

/** Erases the history of this browser. */
export function forgetCalls(): void {
  historyStore.set([]);
}

/** Keeps the entries that are whole; an older or a foreign shape must not break the page. */
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
