'use client';

import type { Attestation } from '@/lib/client/private-chat';
import { attestedKeyOf } from '@/lib/client/private-chat/attested-key';
import {
  changesBetween,
  type KnownReport,
  knownReport,
  type ReportChange,
} from '@/lib/protocol/attestation/report-changes';
import { useSyncExternalStore } from 'react';

export { attestedKeyOf };

/** How the lock of a model stands, as far as this page knows since it was opened. */
export type LockState =
  | { kind: 'unchecked' }
  | { kind: 'checking' }
  /**
   * Judged here: the attestation holds its verdict. `keyBefore`: the address or key that was attested before it, where that was another.
   * `changes`: what is other than in the last verdict that held and that its person has seen.
   */
  | { kind: 'judged'; attestation: Attestation; keyBefore: string | null; changes: readonly ReportChange[] }
  /** No attestation came. */
  | { kind: 'unanswered'; error: Error };

const UNCHECKED: LockState = { kind: 'unchecked' };
const locks = new Map<string, LockState>();
const listeners = new Set<() => void>();

/** The address or key that a model's enclave attested last, since this page was opened. */
const attestedKeys = new Map<string, string>();
/** What each model's report said when it held last, and nobody had a difference to look at. */
const seenReports = new Map<string, KnownReport>();

/** Notes what an attestation came to, and whether its key is another than the last one that attested. */
export function noteJudged(attestation: Attestation): void {
  const { model } = attestation;
  const [before, now] = [attestedKeys.get(model), attestedKeyOf(attestation) ?? undefined];
  if (now !== undefined) attestedKeys.set(model, now);
  noteLock(model, {
    kind: 'judged',
    attestation,
    keyBefore: before !== undefined && now !== undefined && before !== now ? before : null,
    changes: changesOf(attestation),
  });
}

/** Differences stay until somebody has seen them, however often the same is verified meanwhile. */
function changesOf({ model, verdict }: Attestation): readonly ReportChange[] {
  const [seen, now] = [seenReports.get(model), knownReport(verdict)];
  if (now === null) return [];
  if (seen === undefined) seenReports.set(model, now);
  return seen === undefined ? [] : changesBetween(seen, now);
}

/** A person has seen what changed: from here on it is what the next verdict is compared with. */
export function seeChanges(model: string): void {
  const lock = lockOf(model);
  if (lock.kind !== 'judged') return;
  const now = knownReport(lock.attestation.verdict);
  if (now !== null) seenReports.set(model, now);
  noteLock(model, { ...lock, changes: [] });
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
