'use client';

import type { Attestation } from '@/lib/client/private-chat';
import { useSyncExternalStore } from 'react';

/** How the lock of a model stands, as far as this page knows since it was opened. */
export type LockState =
  | { kind: 'unchecked' }
  | { kind: 'checking' }
  /** Judged here: the attestation holds its verdict. */
  | { kind: 'judged'; attestation: Attestation }
  /** No attestation came. */
  | { kind: 'unanswered'; error: Error };

const UNCHECKED: LockState = { kind: 'unchecked' };
const locks = new Map<string, LockState>();
const listeners = new Set<() => void>();

/** Notes how a model's lock stands. */
export function noteLock(modelId: string, state: LockState): void {
  locks.set(modelId, state);
  listeners.forEach((listener) => listener());
}

export function lockOf(modelId: string): LockState {
  return locks.get(modelId) ?? UNCHECKED;
}

export function useLock(modelId: string | null): LockState {
  const read = () => (modelId === null ? UNCHECKED : lockOf(modelId));
  return useSyncExternalStore(subscribe, read, () => UNCHECKED);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
