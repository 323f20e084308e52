import { CheckFailed, type CheckResult, type Evidence, NotCheckable } from '../../tee/check-list';
import type { BoundComposeHash } from '../../tee/workload/compose-hash';
import { checkWorkload } from '../../tee/workload/known-workload';
import type { EnclaveMeasurements } from '../enclave';
import type { SevSnpMeasurements } from '../measurements';
import type { EnclavePolicy, PinnedEnclaveWorkload } from '../policy';

/** What boots, all of it. */
const BOOTED = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const;

/**
 * Finds the pinned workload that an enclave runs. Of a trust domain it takes what `checkWorkload` says; of an SNP guest
 * the launch measurement together with HOST_DATA, which the host chose. Where the family measures the command line that
 * names all that runs (`applicationIn`), and the pin says so too, what boots is enough.
 *
 * @throws {NotCheckable} where none is pinned for this hardware, or the one that fits says too little; {CheckFailed} where none fits
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
    throw new NotCheckable('No workload is pinned, so it is not known what runs in the enclave.', evidence);
  const fits = (pinned: string | undefined, measured: string) =>
    pinned === undefined || pinned.toLowerCase() === measured;
  const fitting = pins.filter((pin) => fits(pin.snpMeasurement, snpMeasurement) && fits(pin.snpHostData, snpHostData));
  const known = fitting.find((pin) => pin.snpMeasurement !== undefined && pin.snpHostData !== undefined);
  if (known) return { established: known, evidence: { workload: known.name, ...evidence } };
  const [partial] = fitting;
  if (partial)
    throw new NotCheckable(
      `The pin “${partial.name}” fits, and says too little to know the workload by: MEASUREMENT and HOST_DATA must both be pinned.`,
      { pin: partial.name, ...evidence },
    );
  throw new CheckFailed('The workload is none of those that are pinned.', evidence);
}

function isOfSnp({ snpMeasurement, snpHostData }: PinnedEnclaveWorkload): boolean {
  return snpMeasurement !== undefined || snpHostData !== undefined;
}
