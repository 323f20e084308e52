'use client';

import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';

/** Warning of possible tampering between this browser and an enclave. Stays until dismissed. */
export interface TamperAlarm {
  modelId: string;
  atMs: number;
  sentence: string;
  detail: string | null;
  hint: string;
  /** True if this browser detected the fault before sending anything. */
  nothingSent: boolean;
}

const ALARMS_MAX = 50;

const alarms = createStoredValue<readonly TamperAlarm[]>({
  key: 'turnpike.chat-alarms',
  initial: [],
  parse: readAlarms,
});

/** Returns the warning about a model; null for none. A warning blocks sending to the model. */
export function useTamperAlarm(modelId: string | null): TamperAlarm | null {
  return useStoredValue(alarms).find((alarm) => alarm.modelId === modelId) ?? null;
}

export function raiseAlarm(alarm: TamperAlarm): void {
  alarms.set(withAlarm(alarms.get(), alarm));
}

/**
 * Adds a warning. Replaces an earlier warning about the same model, but keeps the earlier time. `nothingSent` never
 * changes from false to true.
 */
export function withAlarm(standing: readonly TamperAlarm[], alarm: TamperAlarm): readonly TamperAlarm[] {
  const earlier = standing.find(({ modelId }) => modelId === alarm.modelId);
  const raised =
    earlier === undefined
      ? alarm
      : { ...alarm, atMs: Math.min(earlier.atMs, alarm.atMs), nothingSent: earlier.nothingSent && alarm.nothingSent };
  return [raised, ...standing.filter((each) => each !== earlier)].slice(0, ALARMS_MAX);
}

export function dismissAlarm(modelId: string): void {
  alarms.set(alarms.get().filter((alarm) => alarm.modelId !== modelId));
}

/** Parses stored warnings. Drops unreadable warnings, because the next attestation raises most again. */
export function readAlarms(stored: unknown): readonly TamperAlarm[] | null {
  return Array.isArray(stored) ? stored.filter(isAlarm) : null;
}

function isAlarm(value: unknown): value is TamperAlarm {
  if (typeof value !== 'object' || value === null) return false;
  const { modelId, atMs, sentence, detail, hint, nothingSent } = value as Partial<Record<keyof TamperAlarm, unknown>>;
  return (
    typeof modelId === 'string' &&
    typeof atMs === 'number' &&
    typeof sentence === 'string' &&
    (detail === null || typeof detail === 'string') &&
    typeof hint === 'string' &&
    typeof nothingSent === 'boolean'
  );
}
