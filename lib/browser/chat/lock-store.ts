'use client';

import type { Attestation } from '@/lib/client/private-chat';
import { useSyncExternalStore } from 'react';

/** How the lock of a model stands, as far as this page knows since it was opened. */
export type LockState =
  | { kind: 'unchecked' }
  | { kind: 'checking' }
  /** Judged here: the attestation holds its verdict. `keyBefore`: the address that was attested before it, where that was another. */
  | { kind: 'judged'; attestation: Attestation; keyBefore: string | null }
  /** No attestation came. */
  | { kind: 'unanswered'; error: Error };

const UNCHECKED: LockState = { kind: 'unchecked' };
const locks = new Map<string, LockState>();
const listeners = new Set<() => void>();

/** The address that a model's enclave attested last, since this page was opened. */
const attestedKeys = new Map<string, string>();

/** Notes what an attestation came to, and whether its key is another than the last one that attested. */
export function noteJudged(attestation: Attestation): void {
  const { model, verdict } = attestation;
  const [before, now] = [attestedKeys.get(model), verdict.key?.address];
  if (now !== undefined) attestedKeys.set(model, now);
  noteLock(model, { kind: 'judged', attestation, keyBefore: before !== undefined && now !== undefined && before !== now ? before : null });
}

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
