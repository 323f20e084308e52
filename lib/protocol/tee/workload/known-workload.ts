import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import type { PinnedImage, PinnedWorkload } from '../policy';
import type { BoundComposeHash, Measurements } from './workload';

/** Measurements of the boot: firmware, configuration, kernel and image. */
const PLATFORM = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const;
/** Measurements that identify the application. A pin needs at least one of them. */
const APPLICATION = ['composeHash', 'rtMr3'] as const;
const COMPARED = [...PLATFORM, 'rtMr3', 'mrConfigId', 'composeHash'] as const;

type Compared = (typeof COMPARED)[number];

const MEASUREMENT_NAMES: Readonly<Record<Compared, string>> = {
  mrTd: 'MRTD',
  rtMr0: 'RTMR0',
  rtMr1: 'RTMR1',
  rtMr2: 'RTMR2',
  rtMr3: 'RTMR3',
  mrConfigId: 'MRCONFIGID',
  composeHash: 'the hash of the compose file',
};

export interface WorkloadPins {
  pinnedWorkloads: readonly PinnedWorkload[];
  pinnedImages: readonly PinnedImage[];
}

/**
 * Finds the pinned workload of a quote. A pin must identify the boot (by MRTD and RTMR0 to RTMR2, or by an image with
 * pinned measurements) and the application (by compose hash or RTMR3).
 *
 * Without a known boot, neither MRCONFIGID nor RTMR3 proves an application: the host chooses MRCONFIGID, and the guest
 * extends RTMR3. A compose hash that is only in MRCONFIGID counts if the event log replays to RTMR3, because the log
 * then lists every measured compose file.
 *
 * @throws {NotCheckable} if no workload is pinned, or the match is unproven; {CheckFailed} if no pin matches
 */
export function checkWorkload(
  measurements: Measurements,
  compose: BoundComposeHash | null,
  { pinnedWorkloads, pinnedImages }: WorkloadPins,
): { established: PinnedWorkload; evidence: Evidence } {
  const evidence = { ...measurements, composeBoundBy: compose?.boundBy ?? null };
  if (pinnedWorkloads.length === 0)
    throw new NotCheckable('No workload is pinned, so the workload of the enclave is unknown.', evidence);
  const pins = pinnedWorkloads.flatMap((workload) => expanded(workload, pinnedImages));
  const fitting = pins.filter((pin) => differing(pin, measurements).length === 0 && named(pin).length > 0);
  const whole = fitting.filter((pin) => missingMeasurements(pin).length === 0);
  const known = whole.find((pin) => pin.rtMr3 !== undefined || compose?.isHostsWord !== true);
  if (known) return { established: known, evidence: { workload: known.name, pinnedBy: named(known), ...evidence } };
  if (whole[0]) throw new NotCheckable(hostsWord(whole[0]), { pin: whole[0].name, missing: ['RTMR3'], ...evidence });
  const [partial] = fitting;
  if (partial)
    throw new NotCheckable(
      tooLittle(partial) +
        nearest(
          pins.filter((pin) => missingMeasurements(pin).length === 0),
          measurements,
        ),
      { pin: partial.name, missing: missingMeasurements(partial), ...evidence },
    );
  throw new CheckFailed('The workload matches no pinned workload.' + nearest(pins, measurements), evidence);
}

/** Returns the names of the measurements that a pin lacks to identify a workload. */
export function missingMeasurements(pin: PinnedWorkload): string[] {
  const platform = PLATFORM.filter((name) => !says(pin[name])).map((name) => MEASUREMENT_NAMES[name]);
  const application = APPLICATION.some((name) => pin[name] !== undefined)
    ? []
    : [`${MEASUREMENT_NAMES.composeHash} or ${MEASUREMENT_NAMES.rtMr3}`];
  return [...platform, ...application];
}

/** Returns a pin for each set of measurements of the pinned image. */
function expanded(workload: PinnedWorkload, images: readonly PinnedImage[]): PinnedWorkload[] {
  const { imageHash } = workload;
  if (imageHash === undefined) return [workload];
  const sets = images.filter(({ hash }) => hash.toLowerCase() === imageHash.toLowerCase());
  if (sets.length === 0) return [workload];
  // A measurement in the pin must equal the image's measurement.
  const agreeing = sets.filter((implied) =>
    PLATFORM.every((name) => workload[name] === undefined || isSame(workload[name], implied[name].toLowerCase())),
  );
  return agreeing.map(({ mrTd, rtMr0, rtMr1, rtMr2 }) => ({ ...workload, mrTd, rtMr0, rtMr1, rtMr2 }));
}

/**
 * Returns whether a measurement identifies the boot. A register of zeros does not, because nothing was measured into
 * it.
 */
function says(value: string | undefined): boolean {
  return value !== undefined && /[^0]/.test(value);
}

function named(pin: PinnedWorkload): Compared[] {
  return COMPARED.filter((name) => pin[name] !== undefined);
}

function differing(pin: PinnedWorkload, measurements: Measurements): Compared[] {
  return named(pin).filter((name) => !isSame(pin[name], measurements[name]));
}

function isSame(pinned: string | undefined, measured: string | null | undefined): boolean {
  return pinned !== undefined && pinned.toLowerCase() === measured;
}

function hostsWord({ name }: PinnedWorkload): string {
  return `The pin “${name}” matches, but only MRCONFIGID, which the host chooses, shows its compose file. Verifying it needs an event log that leads to RTMR3, or RTMR3 in the pin.`;
}

function tooLittle(pin: PinnedWorkload): string {
  const image = pin.imageHash === undefined ? '' : ' The measurements of its image are not pinned.';
  return `The pin “${pin.name}” matches, but does not identify the workload: it must also pin ${enumerated(missingMeasurements(pin))}, in addition to ${enumerated(named(pin).map((name) => MEASUREMENT_NAMES[name]))}.${image}`;
}

function nearest(pins: readonly PinnedWorkload[], measurements: Measurements): string {
  const [best] = pins
    .map((pin) => ({ pin, other: differing(pin, measurements) }))
    .filter(({ pin, other }) => other.length < named(pin).length)
    .sort((a, b) => a.other.length - b.other.length);
  return best === undefined
    ? ''
    : ` “${best.pin.name}” differs in ${enumerated(best.other.map((name) => MEASUREMENT_NAMES[name]))}.`;
}

function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
