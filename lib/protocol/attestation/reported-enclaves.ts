import { bytesToHex } from '@noble/hashes/utils.js';
import { parseQuote } from '../tee/quote/quote';
import { measurementsOf } from '../tee/workload/workload';
import type { ClaimedEnclave, EnclaveKey, EnclaveMeasurements, EnclaveRole, HardwareClaim } from './enclave';
import { ENCLAVES_MAX, type FamilyAnswer } from './family';
import { familyOf } from './families';
import { parseSnpReport } from './sev-snp/snp-report';

/** An enclave as a report has it: what somebody says, with no verdict on any of it. */
export interface ReportedEnclave {
  role: EnclaveRole;
  /** What the report calls it; null where it has no name. */
  name: string | null;
  /** The model that is said to run there; null where the report says none. */
  model: string | null;
  hardware: HardwareClaim['kind'];
  /** As they stand in the evidence, which nobody has checked; null where it cannot be read. */
  measurements: EnclaveMeasurements | null;
  keys: readonly EnclaveKey[];
  /** What is said of its GPUs; null where the report has no part about any, or one that cannot be read. */
  gpus: { arch: string; count: number } | null;
  /** Why no client can use it, in a sentence; null for one that can. */
  unusable: string | null;
}

/** What answers say of the family that they are of, and of its enclaves. */
export interface ReportedEnclaves {
  /** Null where the answers are of no family that is known. */
  family: string | null;
  enclaves: readonly ReportedEnclave[];
}

/**
 * Reads what a provider answered without checking anything. Never throws: of what cannot be read nothing is said.
 *
 * @param answers bounded (`assertBoundedJson`)
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

/** What a getter gives; null for what is malformed or missing. */
function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
