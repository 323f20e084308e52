import type { BoundComposeHash } from '@/lib/protocol/tee/workload/workload';
import { isMap, isScalar, parseAllDocuments, visit } from 'yaml';
import { CheckFailed, type CheckResult, type Evidence, NotCheckable } from '../../tee/check-list';
import { parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { checkWorkload } from '../../tee/workload/known-workload';
import type { EnclaveMeasurements, SevSnpMeasurements } from '../enclave';
import type { EnclavePolicy, PinnedEnclaveWorkload } from '../policy';

const IMAGES_MAX = 64;
const COMPOSE_CHARACTERS_MAX = 1_048_576;
const IMAGE_CHARACTERS_MAX = 512;
/** Matches `NAME@sha256:HEX`, with an optional tag (OCI distribution specification, "pulling manifests"). */
const PINNED = /@sha256:[0-9a-f]{64}$/;

/**
 * Lists the container images of a dstack compose file (`docker_compose_file`, YAML). Only a digest fixes which bytes
 * run; a tag can move.
 *
 * @throws {NotCheckable} if there is no compose file or image, or an image has no digest; {Malformed}
 */
export function checkImages(appCompose: string | null): CheckResult<readonly string[]> {
  if (appCompose === null) throw new NotCheckable('The report contains no compose file.');
  const images = imagesOf(appCompose);
  if (images.length === 0) throw new NotCheckable('The compose file lists no image.');
  const notPinned = images.filter((image) => !PINNED.test(image));
  const evidence = { images, notPinned };
  if (notPinned.length > 0)
    throw new NotCheckable(
      `Warning: the compose file does not pin these images by digest: ${notPinned.map((image) => (image.includes('${') ? `${image} (an environment variable decides)` : image)).join(', ')}.`,
      evidence,
    );
  return { established: images, evidence };
}

function imagesOf(appCompose: string): string[] {
  const { docker_compose_file: file } = parseJsonObject(appCompose, 'app_compose');
  if (typeof file !== 'string') return [];
  if (file.length > COMPOSE_CHARACTERS_MAX) throw new Malformed('The compose file is too long.');
  const images = new Set<string>();
  for (const document of parseAllDocuments(file, { merge: true, strict: false })) {
    if (document.errors.length > 0) throw new Malformed('The compose file of the application is not valid YAML.');
    // Visits the whole document, because a service may inherit its image from a template. Does not expand variables.
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || key.value !== 'image' || value === null || isMap(value)) return;
        const image = isScalar(value) ? String(value.value) : 'a reference to another place in the file';
        images.add(image.slice(0, IMAGE_CHARACTERS_MAX));
        if (images.size > IMAGES_MAX) throw new Malformed(`The compose file lists more than ${IMAGES_MAX} images.`);
      },
    });
  }
  return [...images];
}

/** Measurements of the boot: firmware, kernel and command line. */
const BOOTED = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const;

/**
 * Finds the pin of an enclave's workload. For an SNP guest, compares the launch measurement and HOST_DATA with the
 * pins. For a trust domain (TDX) whose measurements have `applicationIn`, compares it and the boot measurements.
 * Without such a TDX match, `checkWorkload` decides.
 *
 * @throws {NotCheckable} if no workload is pinned for this hardware, or the matching pin is incomplete; {CheckFailed}
 *   if no pin matches
 */
export function checkPinnedWorkload(
  measurements: EnclaveMeasurements,
  compose: BoundComposeHash | null,
  policy: EnclavePolicy,
): { established: { name: string }; evidence: Evidence } {
  if (measurements.kind === 'amd-sev-snp')
    return checkSnpWorkload(measurements, policy.pinnedWorkloads.filter(isOfSnp));
  const { kind: _, applicationIn, ...measured } = measurements;
  const booted =
    applicationIn === undefined
      ? undefined
      : policy.pinnedWorkloads.find(
          (pin) =>
            pin.applicationIn === applicationIn && BOOTED.every((name) => pin[name]?.toLowerCase() === measured[name]),
        );
  if (booted) return { established: booted, evidence: { workload: booted.name, ...measured } };
  return checkWorkload(measured, compose, {
    pinnedImages: policy.pinnedImages,
    pinnedWorkloads: policy.pinnedWorkloads.filter((pin) => !isOfSnp(pin)),
  });
}

function checkSnpWorkload(
  { snpMeasurement, snpHostData }: SevSnpMeasurements,
  pins: readonly PinnedEnclaveWorkload[],
): CheckResult<{ name: string }> {
  const evidence = { snpMeasurement, snpHostData };
  if (pins.length === 0)
    throw new NotCheckable('No workload is pinned, so the workload of the enclave is unknown.', evidence);
  const fits = (pinned: string | undefined, measured: string) =>
    pinned === undefined || pinned.toLowerCase() === measured;
  const fitting = pins.filter((pin) => fits(pin.snpMeasurement, snpMeasurement) && fits(pin.snpHostData, snpHostData));
  const known = fitting.find((pin) => pin.snpMeasurement !== undefined && pin.snpHostData !== undefined);
  if (known) return { established: known, evidence: { workload: known.name, ...evidence } };
  const [partial] = fitting;
  if (partial)
    throw new NotCheckable(
      `The pin “${partial.name}” matches, but does not identify the workload: it must pin both MEASUREMENT and HOST_DATA.`,
      { pin: partial.name, ...evidence },
    );
  throw new CheckFailed('The workload matches no pinned workload.', evidence);
}

function isOfSnp({ snpMeasurement, snpHostData }: PinnedEnclaveWorkload): boolean {
  return snpMeasurement !== undefined || snpHostData !== undefined;
}
