import type { EnclaveKey, EnclaveMeasurements, EnclaveRole, HardwareClaim } from './enclave';
import type { ServedVerdict } from './served-report';

/** Part of a verdict that the client compares with the model's next verdict. */
export interface KnownReport {
  enclaves: readonly KnownEnclave[];
}

interface KnownEnclave {
  role: EnclaveRole;
  name: string | null;
  hardware: HardwareClaim['kind'];
  measurements: EnclaveMeasurements | null;
  keys: readonly EnclaveKey[];
}

export interface ReportChange {
  role: EnclaveRole;
  /** `enclave`: an enclave was added or removed. */
  what: 'measurement' | 'key' | 'hardware' | 'enclave';
  /** Name of the measurement, or purpose of the key. */
  name: string;
  /** Null if absent. */
  before: string | null;
  now: string | null;
}

/** Returns the part of a verdict that is compared. Null for a verdict that proves nothing. */
export function knownReport({
  conclusion,
  enclaves,
}: Pick<ServedVerdict, 'conclusion' | 'enclaves'>): KnownReport | null {
  if (conclusion === 'failed' || conclusion === 'not-checkable') return null;
  return {
    enclaves: enclaves
      .filter(({ isUsed }) => isUsed)
      .map(({ role, name, hardware, measurements, keys }) => ({ role, name, hardware, measurements, keys })),
  };
}

const IS_OF_INSTANCE: Readonly<Record<EnclaveKey['algorithm'], boolean>> = {
  secp256k1: false,
  ed25519: false,
  x25519: false,
  'x25519-hpke': false,
  'ml-kem-768': true,
  'tls-spki-sha256': false,
};

export function changesBetween(before: KnownReport, now: KnownReport): readonly ReportChange[] {
  const count = Math.max(before.enclaves.length, now.enclaves.length);
  return Array.from({ length: count }, (_, index) => changesOf(before.enclaves[index], now.enclaves[index])).flat();
}

function changesOf(before: KnownEnclave | undefined, now: KnownEnclave | undefined): ReportChange[] {
  const role = (now ?? before)?.role ?? 'model';
  if (before === undefined || now === undefined || before.role !== now.role)
    return [{ role, what: 'enclave', name: role, before: before?.role ?? null, now: now?.role ?? null }];
  if (before.hardware !== now.hardware)
    return [{ role, what: 'hardware', name: 'hardware', before: before.hardware, now: now.hardware }];
  // Each instance has its own key, so a different instance's key is not a change.
  const isAnother =
    before.name !== now.name &&
    [before, now].every(({ keys }) => keys.some(({ algorithm }) => IS_OF_INSTANCE[algorithm]));
  return [
    ...differing(
      role,
      'measurement',
      comparedMeasurements(before.measurements),
      comparedMeasurements(now.measurements),
    ),
    ...(isAnother ? [] : differing(role, 'key', keyed(before), keyed(now))),
  ];
}

function differing(
  role: EnclaveRole,
  what: 'measurement' | 'key',
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): ReportChange[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => ({ role, what, name, before: before.get(name) ?? null, now: now.get(name) ?? null }));
}

/**
 * Returns the measurements to compare. Leaves out RTMR3 if the compose hash is known, because RTMR3 differs between
 * machines.
 */
export function comparedMeasurements(measurements: EnclaveMeasurements | null): ReadonlyMap<string, string> {
  const { kind: _kind, ...values } = measurements ?? { kind: null };
  const entries = Object.entries(values as Readonly<Record<string, string | null>>).filter(
    (entry): entry is [string, string] =>
      entry[1] !== null && entry[0] !== 'applicationIn' && entry[0] !== 'mrConfigId',
  );
  const hasCompose = entries.some(([name]) => name === 'composeHash');
  return new Map(entries.filter(([name]) => !hasCompose || name !== 'rtMr3'));
}

function keyed({ keys }: KnownEnclave): ReadonlyMap<string, string> {
  return new Map(keys.map(({ purpose, value }) => [purpose, value]));
}
