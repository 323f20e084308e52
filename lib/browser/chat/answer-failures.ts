'use client';

import { GatewayError, type GatewayErrorDetail } from '@/lib/client';
import { useSyncExternalStore } from 'react';
import { createStoredValue } from '../stored-value';
import { createListeners } from '../listeners';

/** Errors of turns without a complete answer, kept while the page is open. */
const failures = new Map<string, Error>();
const listeners = createListeners();

/** Refusal by the gateway, stored because a payment may reload the page. */
export interface KeptRefusal {
  turnId: string;
  status: number;
  message: string;
  detail: GatewayErrorDetail;
}

const REFUSALS_MAX = 4;
const BODY_CHARACTERS_MAX = 8_000;

const refusalStore = createStoredValue<readonly KeptRefusal[]>({
  key: 'turnpike.chat-refusals',
  initial: [],
  parse: parseRefusals,
  sessionOnly: () => true,
});

export function noteFailure(turnId: string, error: Error | null): void {
  if (error === null) failures.delete(turnId);
  else failures.set(turnId, error);
  const others = refusalStore.get().filter((kept) => kept.turnId !== turnId);
  const kept =
    error instanceof GatewayError && error.detail.bodyText.length <= BODY_CHARACTERS_MAX
      ? [{ turnId, status: error.status, message: error.message, detail: error.detail }]
      : [];
  if (kept.length > 0 || others.length !== refusalStore.get().length)
    refusalStore.set([...kept, ...others].slice(0, REFUSALS_MAX));
  listeners.tell();
}

export function useFailure(turnId: string): Error | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => failureOf(turnId),
    () => null,
  );
}

function failureOf(turnId: string): Error | null {
  const known = failures.get(turnId);
  if (known !== undefined) return known;
  const kept = refusalStore.get().find((refusal) => refusal.turnId === turnId);
  if (kept === undefined) return null;
  const error = new GatewayError(kept.status, kept.message, kept.detail);
  // Caches the error, so that later reads return the same object.
  failures.set(turnId, error);
  return error;
}

export function parseRefusals(stored: unknown): readonly KeptRefusal[] | null {
  return Array.isArray(stored) ? stored.filter(isRefusal).slice(0, REFUSALS_MAX) : null;
}

function isRefusal(value: unknown): value is KeptRefusal {
  if (typeof value !== 'object' || value === null) return false;
  const { turnId, status, message, detail } = value as Record<keyof KeptRefusal, unknown>;
  return typeof turnId === 'string' && typeof status === 'number' && typeof message === 'string' && isDetail(detail);
}

function isDetail(value: unknown): value is GatewayErrorDetail {
  if (typeof value !== 'object' || value === null) return false;
  const {
    isFromService,
    code,
    hint,
    customMessage,
    requestId,
    retryAtMs,
    latencyMs,
    bodyText,
    fieldErrors,
    rateLimit,
  } = value as Record<keyof GatewayErrorDetail, unknown>;
  const texts = [code, hint, customMessage, requestId].every((text) => text === null || typeof text === 'string');
  const isLimit =
    rateLimit === null ||
    (typeof rateLimit === 'object' &&
      Object.values(rateLimit).every((number) => number === null || typeof number === 'number'));
  return (
    texts &&
    isLimit &&
    typeof isFromService === 'boolean' &&
    (retryAtMs === null || typeof retryAtMs === 'number') &&
    typeof latencyMs === 'number' &&
    typeof bodyText === 'string' &&
    Array.isArray(fieldErrors) &&
    fieldErrors.every(isFieldError)
  );
}

function isFieldError(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { path?: unknown }).path === 'string' &&
    typeof (value as { message?: unknown }).message === 'string'
  );
}
