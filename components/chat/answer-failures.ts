'use client';

import { isErrorDetail } from '@/components/paying/recovery/kept-error';
import { createListeners, createStoredValue } from '@/lib/browser/storage/stored-value';
import { GatewayError, type GatewayErrorDetail, UnreachableError } from '@/lib/client';
import { useSyncExternalStore } from 'react';
import { chatWords } from './words';

/** Errors of turns without a complete answer. The page keeps them until it closes. */
const failures = new Map<string, Error>();
const listeners = createListeners();

/** Refusal by the gateway. Stored, because the page may reload when the user pays. */
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
  // Stored, because later calls must return the same object.
  failures.set(turnId, error);
  return error;
}

export function parseRefusals(stored: unknown): readonly KeptRefusal[] | null {
  return Array.isArray(stored) ? stored.filter(isRefusal).slice(0, REFUSALS_MAX) : null;
}

function isRefusal(value: unknown): value is KeptRefusal {
  if (typeof value !== 'object' || value === null) return false;
  const { turnId, status, message, detail } = value as Record<keyof KeptRefusal, unknown>;
  return (
    typeof turnId === 'string' && typeof status === 'number' && typeof message === 'string' && isErrorDetail(detail)
  );
}

interface SelfExplaining extends Error {
  detail: string | null;
  hint: string;
}

/**
 * Returns whether an error comes from the private chat client. Checks the shape instead of the class, because the class
 * loads on demand.
 */
export function isOfPrivateChat(error: Error): error is SelfExplaining {
  return (
    'hint' in error &&
    typeof error.hint === 'string' &&
    'detail' in error &&
    (error.detail === null || typeof error.detail === 'string')
  );
}

/** Returns an error's details and advice as sentences to store with the answer. */
export function adviceOn(error: Error): readonly string[] {
  return sentencesOn(error).filter(
    (sentence): sentence is string => typeof sentence === 'string' && sentence !== '' && sentence !== error.message,
  );
}

function sentencesOn(error: Error): readonly (string | null)[] {
  if (isOfPrivateChat(error)) return [error.detail, error.hint];
  if (error instanceof UnreachableError) return [chatWords.ending.unreachable];
  if (!(error instanceof GatewayError)) return [];
  const { customMessage, fieldErrors, hint, code } = error.detail;
  return [
    customMessage,
    ...fieldErrors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    hint,
    `HTTP ${error.status}${code === null ? '' : `, ${code}`}`,
  ];
}
