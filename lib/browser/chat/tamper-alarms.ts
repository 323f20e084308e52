'use client';

import { createStoredValue, useStoredValue } from '../stored-value';

/** A warning that somebody between this browser and an enclave may have interfered. It stays until it is dismissed. */
export interface TamperAlarm {
  modelId: string;
  /** When it was first found out, however often since. */
  atMs: number;
  /** What is the case, what exactly, and what it means. */
  sentence: string;
  detail: string | null;
  hint: string;
  /** Whether it was found out before anything was sent. */
  nothingSent: boolean;
}

const ALARMS_MAX = 50;

const alarms = createStoredValue<readonly TamperAlarm[]>({
  key: 'turnpike.chat-alarms',
  initial: [],
  parse: readAlarms,
});

/** The standing warning about a model; null for none. While there is one, nothing is sent to it. */
export function useTamperAlarm(modelId: string | null): TamperAlarm | null {
  return useStoredValue(alarms).find((alarm) => alarm.modelId === modelId) ?? null;
}

export function tamperAlarmOf(modelId: string): TamperAlarm | null {
  return alarms.get().find((alarm) => alarm.modelId === modelId) ?? null;
}

/** Raises a warning, in place of a standing one about the same model. */
export function raiseAlarm(alarm: TamperAlarm): void {
  alarms.set(withAlarm(alarms.get(), alarm));
}

/**
 * The warnings with one more. It takes the place of one that stands about the same model, and keeps the time at which
 * that was first found; and once something had been sent, none says that nothing was.
 */
export function withAlarm(standing: readonly TamperAlarm[], alarm: TamperAlarm): readonly TamperAlarm[] {
  const earlier = standing.find(({ modelId }) => modelId === alarm.modelId);
  const raised =
    earlier === undefined
      ? alarm
      : { ...alarm, atMs: Math.min(earlier.atMs, alarm.atMs), nothingSent: earlier.nothingSent && alarm.nothingSent };
  return [raised, ...standing.filter((each) => each !== earlier)].slice(0, ALARMS_MAX);
}

/** Takes a warning back, because a person who has read it says so. */
export function dismissAlarm(modelId: string): void {
  alarms.set(alarms.get().filter((alarm) => alarm.modelId !== modelId));
}

/** Keeps the warnings that are whole. A warning that cannot be read is no warning; it comes again with the next attestation. */
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
