import type { EnclaveVerdict } from './enclave';
import type { EnclaveCheckId } from './enclave-checks';
import type { PinnedEnclaveWorkload } from './policy';
import type { ReportVerdict } from './verify-report';

/** Hardware checks without which measurements prove nothing. Excludes checks of dates, such as certificate validity. */
const HARDWARE: ReadonlySet<EnclaveCheckId> = new Set([
  'quote-format',
  'certificate-chain',
  'quoting-enclave',
  'quote-signature',
  'debug-off',
]);

/**
 * Returns pins for a report's enclaves. The pin of a trust domain (TDX) has MRTD, RTMR0 to RTMR2, and one of compose
 * hash, RTMR3 and `applicationIn`. The pin of an SNP guest has its launch measurement and HOST_DATA. A pin reveals
 * later changes. It does not show that the pinned values are trustworthy.
 *
 * Leaves out unusable enclaves and enclaves with a failed hardware check.
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
  // RTMR3 differs between machines. If the event log replays to RTMR3, the compose hash suffices.
  const isLogged = checks.some(({ id, outcome }) => id === 'event-log' && outcome === 'passed');
  return { mrTd, rtMr0, rtMr1, rtMr2, ...(composeHash !== null && isLogged ? { composeHash } : { rtMr3 }) };
}
