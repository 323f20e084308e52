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
import { createListeners } from '@/lib/browser/storage/stored-value';

export { attestedKeyOf };

/** Privacy state of a model, kept until the page closes. */
export type PrivacyState =
  | { kind: 'unchecked' }
  | { kind: 'checking' }
  /**
   * This browser has verified the attestation. `keyBefore`: previously attested address or key, if different.
   * `changes`: differences from the report in `seenReports`.
   */
  | { kind: 'judged'; attestation: Attestation; keyBefore: string | null; changes: readonly ReportChange[] }
  | { kind: 'unanswered'; error: Error };

const UNCHECKED: PrivacyState = { kind: 'unchecked' };
const locks = new Map<string, PrivacyState>();
const listeners = createListeners();

/** Last attested address or key of each model since the page was opened. */
const attestedKeys = new Map<string, string>();
/**
 * Report of each model for comparison: the first verified report, or the report whose changes the user last
 * acknowledged.
 */
const seenReports = new Map<string, KnownReport>();

/** Stores the result of an attestation. Compares the attested key with the previous key of the model. */
export function noteJudged(attestation: Attestation): void {
  const { model } = attestation;
  const [before, now] = [attestedKeys.get(model), attestedKeyOf(attestation) ?? undefined];
  if (now !== undefined) attestedKeys.set(model, now);
  notePrivacy(model, {
    kind: 'judged',
    attestation,
    keyBefore: before !== undefined && now !== undefined && before !== now ? before : null,
    changes: changesOf(attestation),
  });
}

/** Compares the report with the report in `seenReports`, so that a second verification finds the same changes. */
function changesOf({ model, verdict }: Attestation): readonly ReportChange[] {
  const [seen, now] = [seenReports.get(model), knownReport(verdict)];
  if (now === null) return [];
  if (seen === undefined) seenReports.set(model, now);
  return seen === undefined ? [] : changesBetween(seen, now);
}

/** Acknowledges the changes, so that later verdicts are compared with the current report. */
export function seeChanges(model: string): void {
  const privacy = privacyOf(model);
  if (privacy.kind !== 'judged') return;
  const now = knownReport(privacy.attestation.verdict);
  if (now !== null) seenReports.set(model, now);
  notePrivacy(model, { ...privacy, changes: [] });
}

export function notePrivacy(modelId: string, state: PrivacyState): void {
  locks.set(modelId, state);
  listeners.tell();
}

export function privacyOf(modelId: string): PrivacyState {
  return locks.get(modelId) ?? UNCHECKED;
}

export function usePrivacy(modelId: string | null): PrivacyState {
  const read = () => (modelId === null ? UNCHECKED : privacyOf(modelId));
  return useSyncExternalStore(listeners.subscribe, read, () => UNCHECKED);
}
