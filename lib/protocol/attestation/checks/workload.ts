import { CheckFailed, type CheckResult, type Evidence, NotCheckable } from '../../tee/check-list';
import type { BoundComposeHash } from '../../tee/workload/compose-hash';
import { checkWorkload } from '../../tee/workload/known-workload';
import type { EnclaveMeasurements } from '../enclave';
import type { SevSnpMeasurements } from '../measurements';
import type { EnclavePolicy, PinnedEnclaveWorkload } from '../policy';

/** Measurements of the boot: firmware, kernel and command line. */
const BOOTED = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const;

/**
 * Finds an enclave's pinned workload. For an SNP guest, compares the launch measurement and HOST_DATA with the pins. If
 * a trust domain's family states `applicationIn`, a pin with that `applicationIn` and the same boot measurements
 * suffices. Otherwise `checkWorkload` decides.
 *
 * @throws {NotCheckable} if no workload is pinned for this hardware, or the matching pin is incomplete; {CheckFailed}
 * if no pin matches
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
