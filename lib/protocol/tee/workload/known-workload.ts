import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import type { PinnedImage, PinnedWorkload } from '../policy';
import type { BoundComposeHash } from './compose-hash';
import type { Measurements } from './workload';

/** What boots: firmware with its configuration, kernel, and the image they start. */
const PLATFORM = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const;
/** What the image then runs. Either will do. */
const APPLICATION = ['composeHash', 'rtMr3'] as const;
const COMPARED = [...PLATFORM, 'rtMr3', 'mrConfigId', 'composeHash'] as const;

type Compared = (typeof COMPARED)[number];

/** How measurements are called in sentences. */
export const MEASUREMENT_NAMES: Readonly<Record<Compared, string>> = {
  mrTd: 'MRTD',
  rtMr0: 'RTMR0',
  rtMr1: 'RTMR1',
  rtMr2: 'RTMR2',
  rtMr3: 'RTMR3',
  mrConfigId: 'MRCONFIGID',
  composeHash: 'the hash of the compose file',
};

/** The pins of a policy: workloads, and what images imply. */
export interface WorkloadPins {
  pinnedWorkloads: readonly PinnedWorkload[];
  pinnedImages: readonly PinnedImage[];
}

/**
 * Finds the pinned workload that a quote is of.
 *
 * A pin makes a workload known only where it names what boots (MRTD and RTMR0 to 2, or an image whose measurements
 * are pinned) and what that runs (the compose file, or RTMR3). The host chooses MRCONFIGID and the guest extends
 * RTMR3, so neither says anything where firmware, kernel and image are not known; and those are the same under every
 * application, so they say nothing alone. A compose hash that stands in MRCONFIGID alone counts where the log accounts
 * for RTMR3, so that no other file can have been measured there and withheld.
 *
 * @throws {NotCheckable} where none is pinned, and where one fits that says too little, naming what is missing;
 *   {CheckFailed} where none fits
 */
export function checkWorkload(
  measurements: Measurements,
  compose: BoundComposeHash | null,
  { pinnedWorkloads, pinnedImages }: WorkloadPins,
): { established: PinnedWorkload; evidence: Evidence } {
  const evidence = { ...measurements, composeBoundBy: compose?.boundBy ?? null };
  if (pinnedWorkloads.length === 0)
    throw new NotCheckable('No workload is pinned, so it is not known what runs in the enclave.', evidence);
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
  throw new CheckFailed('The workload is none of those that are pinned.' + nearest(pins, measurements), evidence);
}

/** What a pin has to name in addition before it makes a workload known; names of measurements in sentences. */
export function missingMeasurements(pin: PinnedWorkload): string[] {
  const platform = PLATFORM.filter((name) => !says(pin[name])).map((name) => MEASUREMENT_NAMES[name]);
  const application = APPLICATION.some((name) => pin[name] !== undefined)
    ? []
    : [`${MEASUREMENT_NAMES.composeHash} or ${MEASUREMENT_NAMES.rtMr3}`];
  return [...platform, ...application];
}

/** A pin that names an image, as one pin for each set of measurements that the image is pinned with. */
function expanded(workload: PinnedWorkload, images: readonly PinnedImage[]): PinnedWorkload[] {
  const { imageHash } = workload;
  if (imageHash === undefined) return [workload];
  const sets = images.filter(({ hash }) => hash.toLowerCase() === imageHash.toLowerCase());
  if (sets.length === 0) return [workload];
  // What the pin names itself and what its image implies must both fit.
  const agreeing = sets.filter((implied) =>
    PLATFORM.every((name) => workload[name] === undefined || isSame(workload[name], implied[name].toLowerCase())),
  );
  return agreeing.map(({ mrTd, rtMr0, rtMr1, rtMr2 }) => ({ ...workload, mrTd, rtMr0, rtMr1, rtMr2 }));
}

/** A register of zeros was never extended: it is the same whatever booted. */
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
  return `The pin “${name}” fits, but nothing except MRCONFIGID, which the host chooses, says that its compose file runs there: no event log of a known form leads to RTMR3. It takes such a log, or RTMR3 in the pin.`;
}

function tooLittle(pin: PinnedWorkload): string {
  const image = pin.imageHash === undefined ? '' : ' Of the image that it names no measurements are pinned.';
  return `The pin “${pin.name}” fits, and says too little to know the workload by: ${enumerated(missingMeasurements(pin))} must be pinned beside ${enumerated(named(pin).map((name) => MEASUREMENT_NAMES[name]))}.${image}`;
}

/** Which measurements keep the pin that comes nearest from fitting; nothing where none comes near. */
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
