import type { EnclaveVerdict } from './enclave';
import type { EnclaveCheckId } from './enclave-checks';
import type { PinnedEnclaveWorkload } from './policy';
import type { ReportVerdict } from './verify-report';

/** Checks whose failing makes measurements nobody's: those of the hardware, apart from how old it is. */
const HARDWARE: ReadonlySet<EnclaveCheckId> = new Set([
  'quote-format',
  'certificate-chain',
  'quoting-enclave',
  'quote-signature',
  'debug-off',
]);

/**
 * What would have to be pinned for the enclaves of a report to be known: of a trust domain MRTD, RTMR0 to 2, and the
 * compose file where its measurement says that it is the one that runs, else RTMR3, or that what boots names all that
 * runs; of an SNP guest its launch
 * measurement with HOST_DATA. A pin of values that were seen tells when something changes, not whether it is good.
 *
 * Enclaves whose hardware does not hold are left out, and so are those that nobody would use.
 */
export function pinsFor({ family, enclaves }: ReportVerdict): PinnedEnclaveWorkload[] {
  const pins = new Map<string, PinnedEnclaveWorkload>();
  for (const enclave of enclaves.filter(({ unusable }) => unusable === null)) {
    const values = measuredBy(enclave);
    const id = JSON.stringify(values);
    if (values !== null && isHeld(enclave) && !pins.has(id))
      pins.set(id, { name: `${family ?? 'enclave'} ${enclave.role} ${pins.size + 1}`, ...values });
  }
  return [...pins.values()];
}

function isHeld({ checks }: EnclaveVerdict): boolean {
  return !checks.some(({ id, outcome }) => outcome === 'failed' && HARDWARE.has(id));
}

function measuredBy({ measurements, checks }: EnclaveVerdict): Omit<PinnedEnclaveWorkload, 'name'> | null {
  if (measurements === null) return null;
  if (measurements.kind === 'amd-sev-snp')
    return { snpMeasurement: measurements.snpMeasurement, snpHostData: measurements.snpHostData };
  const { mrTd, rtMr0, rtMr1, rtMr2, rtMr3, composeHash, applicationIn } = measurements;
  if (mrTd === null || rtMr0 === null || rtMr1 === null || rtMr2 === null || rtMr3 === null) return null;
  if (applicationIn !== undefined) return { mrTd, rtMr0, rtMr1, rtMr2, applicationIn };
  // A compose file is known by its hash where a log accounts for RTMR3, which differs from machine to machine.
  const isLogged = checks.some(({ id, outcome }) => id === 'event-log' && outcome === 'passed');
  return { mrTd, rtMr0, rtMr1, rtMr2, ...(composeHash !== null && isLogged ? { composeHash } : { rtMr3 }) };
}
