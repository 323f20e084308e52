import { bytesToHex } from '@noble/hashes/utils.js';
import { parseQuote } from '../tee/quote/quote';
import { measurementsOf } from '../tee/workload/workload';
import type { ClaimedEnclave, EnclaveKey, EnclaveMeasurements, EnclaveRole, HardwareClaim } from './enclave';
import { ENCLAVES_MAX, type FamilyAnswer } from './family';
import { familyOf } from './families';
import { parseSnpReport } from './sev-snp/snp-report';

/** Enclave that a report claims, without a verdict. */
export interface ReportedEnclave {
  role: EnclaveRole;
  name: string | null;
  model: string | null;
  hardware: HardwareClaim['kind'];
  /** Unverified measurements; null if they cannot be parsed. */
  measurements: EnclaveMeasurements | null;
  keys: readonly EnclaveKey[];
  /** Claimed GPUs; null if absent or malformed. */
  gpus: { arch: string; count: number } | null;
  /** Reason why no client can use the enclave, as a sentence; null if usable. */
  unusable: string | null;
}

export interface ReportedEnclaves {
  /** Report family; null if none matches. */
  family: string | null;
  enclaves: readonly ReportedEnclave[];
}

/**
 * Parses a provider's answers without verifying them. Never throws: malformed parts are null.
 *
 * @param answers accepted by `assertBoundedJson`
 */
export function reportedEnclaves(answers: readonly FamilyAnswer[]): ReportedEnclaves {
  const adapter = answers.length === 0 ? undefined : familyOf(answers);
  if (adapter === undefined) return { family: null, enclaves: [] };
  const claims = unlessUnreadable(() => adapter.enclavesOf(answers)) ?? [];
  return { family: adapter.family, enclaves: claims.length > ENCLAVES_MAX ? [] : claims.map(reportedOf) };
}

function reportedOf({ role, name, model, hardware, keys, gpu, unusable }: ClaimedEnclave): ReportedEnclave {
  const evidence = gpu === null ? null : unlessUnreadable(() => gpu.evidence());
  return {
    role,
    name,
    model,
    hardware: hardware.kind,
    measurements: unlessUnreadable(() => measured(hardware)),
    keys,
    gpus: evidence && { arch: evidence.arch, count: evidence.gpus.length },
    unusable,
  };
}

function measured(hardware: HardwareClaim): EnclaveMeasurements | null {
  if (hardware.kind === 'intel-tdx')
    return { kind: 'intel-tdx', ...measurementsOf(parseQuote(hardware.quote()).report, null) };
  if (hardware.kind !== 'amd-sev-snp') return null;
  const { measurement, hostData } = parseSnpReport(hardware.report());
  return { kind: 'amd-sev-snp', snpMeasurement: bytesToHex(measurement), snpHostData: bytesToHex(hostData) };
}

function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
