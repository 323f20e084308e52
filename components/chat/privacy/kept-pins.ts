'use client';

import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import type { AttestationVerdict } from '@/lib/protocol/tee/verify-attestation';
import { missingMeasurements } from '@/lib/protocol/tee/workload/known-workload';
import type { Measurements } from '@/lib/protocol/tee/workload/workload';
import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import { pinFaultWords } from '../words';

/** Measurements that can be pinned, with their length in hex characters. */
export const PINNABLE = {
  composeHash: 64,
  mrTd: 96,
  rtMr0: 96,
  rtMr1: 96,
  rtMr2: 96,
  rtMr3: 96,
  mrConfigId: 96,
} as const;
export type Pinnable = keyof typeof PINNABLE;

export const PINNABLE_LABELS: Record<Pinnable, string> = {
  composeHash: 'Compose file (sha256)',
  mrTd: 'MRTD',
  rtMr0: 'RTMR0',
  rtMr1: 'RTMR1',
  rtMr2: 'RTMR2',
  rtMr3: 'RTMR3',
  mrConfigId: 'MRCONFIGID',
};

export const PINNABLE_NAMES = Object.keys(PINNABLE) as Pinnable[];
const PINS_MAX = 100;
const NAME_CHARACTERS_MAX = 80;

const pins = createStoredValue<readonly PinnedWorkload[]>({
  key: 'turnpike.workload-pins',
  initial: [],
  parse: readPins,
});
/** Models for which the user accepts genuine hardware with any workload. */
const trustedBlindly = createStoredValue<readonly string[]>({
  key: 'turnpike.unknown-workloads',
  initial: [],
  parse: readTexts,
});

export function useWorkloadPins(): readonly PinnedWorkload[] {
  return useStoredValue(pins);
}

export function workloadPins(): readonly PinnedWorkload[] {
  return pins.get();
}

/** Pins a workload. Replaces a pin with the same name. */
export function pinWorkload(pin: PinnedWorkload): void {
  pins.set([pin, ...pins.get().filter(({ name }) => name !== pin.name)].slice(0, PINS_MAX));
}

export function unpinWorkload(name: string): void {
  pins.set(pins.get().filter((pin) => pin.name !== name));
}

export function useTakesUnknownWorkload(modelId: string | null): boolean {
  const models = useStoredValue(trustedBlindly);
  return modelId !== null && models.includes(modelId);
}

export function takesUnknownWorkload(modelId: string): boolean {
  return trustedBlindly.get().includes(modelId);
}

export function takeUnknownWorkload(modelId: string, takes: boolean): void {
  const others = trustedBlindly.get().filter((each) => each !== modelId);
  trustedBlindly.set(takes ? [...others, modelId] : others);
}

/** Boot measurements. A pin also contains a measurement of the application. */
export const PLATFORM_NAMES = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const satisfies readonly Pinnable[];

/**
 * Returns a pin of the boot measurements and the compose file. If the quote binds no compose file, pins RTMR3 instead.
 * @returns null if the attestation is invalid
 */
export function pinOfVerdict(
  model: string,
  { measurements, conclusion, checkedAtMs }: Pick<AttestationVerdict, 'measurements' | 'conclusion' | 'checkedAtMs'>,
): PinnedWorkload | null {
  if (measurements === null || conclusion === 'failed' || conclusion === 'not-checkable') return null;
  const name = `${model} of ${new Date(checkedAtMs).toISOString().slice(0, 10)}`;
  return completedPin({ name }, measurements);
}

/**
 * Returns pins for all unpinned TDX enclaves that a prompt passes through, because the workload is known only if each
 * enclave is pinned.
 */
export function pinsOfVerdict(
  model: string,
  { enclaves, conclusion, checkedAtMs }: Pick<ServedVerdict, 'enclaves' | 'conclusion' | 'checkedAtMs'>,
): readonly PinnedWorkload[] {
  const unknown = enclaves.filter(({ isUsed, workload }) => isUsed && workload === null);
  return unknown.flatMap(
    ({ role, measurements }) =>
      pinOfVerdict(role === 'model' ? model : `${model} router`, {
        measurements: measurements?.kind === 'intel-tdx' ? measurements : null,
        conclusion,
        checkedAtMs,
      }) ?? [],
  );
}

export function completedPin(pin: PinnedWorkload, measurements: Measurements): PinnedWorkload {
  const application =
    pin.composeHash !== undefined || pin.rtMr3 !== undefined
      ? []
      : [measurements.composeHash === null ? ('rtMr3' as const) : ('composeHash' as const)];
  const added = [...PLATFORM_NAMES, ...application]
    .filter((name) => pin[name] === undefined)
    .map((name) => [name, measurements[name]]);
  return { ...pin, ...Object.fromEntries(added.filter(([, value]) => value !== null)) };
}

/** Lists, as text, the measurements that a pin still lacks to identify a workload; null if none. */
export function pinLack(pin: PinnedWorkload): string | null {
  const missing = missingMeasurements(pin);
  return missing.length === 0
    ? null
    : `${missing.slice(0, -1).join(', ')}${missing.length > 1 ? ' and ' : ''}${missing.at(-1)}`;
}

export function fitsMeasured(pin: PinnedWorkload, measurements: Measurements | null): boolean {
  const named = PINNABLE_NAMES.filter((name) => pin[name] !== undefined);
  return (
    measurements !== null && named.length > 0 && named.every((name) => pin[name]?.toLowerCase() === measurements[name])
  );
}

export type TypedPin = Readonly<Partial<Record<Pinnable, string>>> & { readonly name: string };

/** Parses a pin from the form; ignores empty fields. @returns the pin, or a fault and the field that has it */
export function readTypedPin(typed: TypedPin): { pin: PinnedWorkload } | { fault: string; field: Pinnable | 'name' } {
  if (typed.name.trim() === '') return { fault: pinFaultWords.nameMissing, field: 'name' };
  const values = PINNABLE_NAMES.flatMap((name) =>
    typed[name]?.trim() ? [[name, typed[name].trim().toLowerCase()] as const] : [],
  );
  const wrong = values.find(([name, value]) => pinFault(name, value) !== null);
  if (wrong) return { fault: pinFault(...wrong) ?? '', field: wrong[0] };
  const pin: PinnedWorkload = { name: typed.name.trim(), ...Object.fromEntries(values) };
  const lack = pinLack(pin);
  if (lack === null) return { pin };
  return {
    fault: pinFaultWords.lacks(lack),
    field: PLATFORM_NAMES.find((name) => pin[name] === undefined) ?? 'composeHash',
  };
}

/** Returns a sentence that says why a value is not a valid measurement of this kind; null if valid. */
export function pinFault(name: Pinnable, value: string): string | null {
  const length = PINNABLE[name];
  return new RegExp(`^[0-9a-f]{${length}}$`, 'i').test(value.trim())
    ? null
    : pinFaultWords.wrongLength(PINNABLE_LABELS[name], length);
}

/** Returns the valid pins. Drops a pin without measurements, because it would match every workload. */
export function readPins(stored: unknown): readonly PinnedWorkload[] | null {
  return Array.isArray(stored) ? stored.filter(isPin) : null;
}

function isPin(value: unknown): value is PinnedWorkload {
  if (typeof value !== 'object' || value === null) return false;
  const { name, ...measurements } = value as Record<string, unknown>;
  const entries = Object.entries(measurements);
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= NAME_CHARACTERS_MAX &&
    entries.length > 0 &&
    entries.every(
      ([key, text]) =>
        Object.hasOwn(PINNABLE, key) && typeof text === 'string' && pinFault(key as Pinnable, text) === null,
    )
  );
}

function readTexts(stored: unknown): readonly string[] | null {
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : null;
}
