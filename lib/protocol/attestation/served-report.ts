import { addressOf, parseModelPublicKey } from '../e2ee/public-key';
import type { BoundKey } from '../tee/binding';
import {
  type AttestationRequest,
  type AttestationVerdict,
  failureReason,
  verifyAttestation,
} from '../tee/verify-attestation';
import type { EnclaveKey, EnclaveVerdict } from './enclave';
import type { EnclaveCheck } from './enclave-checks';
import { servedAnswers } from './provider-answers';
import type { ReportVerdict } from './verify-report';

/** Verdict on a gateway's attestation report, and on each enclave in the report. */
export interface ServedVerdict extends Omit<AttestationVerdict, 'checks'> {
  /** Checks of the enclave that decides the verdict, or of the whole report. */
  checks: readonly EnclaveCheck[];
  family: string | null;
  enclaves: readonly EnclaveVerdict[];
}

const NEAR_ECDSA = 'near-ecdsa';

/**
 * Verifies an attestation report from a gateway. Uses the provider's answers if the report includes them, else the
 * report's own members. Trusts no claim in the report. Rejects only if a module cannot load.
 */
export async function verifyServedReport(request: AttestationRequest): Promise<ServedVerdict> {
  const served = servedAnswers(request.report);
  if (served === null) return ofOneEnclave(await verifyAttestation(request));
  // Loaded on demand: a report in the specification's format needs no adapters.
  const [{ verifyReport }, { broughtCollateral }] = await Promise.all([
    import('./verify-report'),
    import('./provider-answers'),
  ]);
  const { expected, policy, nowMs } = request;
  const endorsements = {
    ...served.endorsements,
    tdxCollateral: [
      ...served.endorsements.tdxCollateral,
      ...unlessUnreadable(() => broughtCollateral(served.answers())),
    ],
  };
  return ofReport(await verifyReport({ answers: served.answers, endorsements, expected, policy, nowMs }));
}

function ofOneEnclave(verdict: AttestationVerdict): ServedVerdict {
  const { conclusion, reason, checks, key, measurements, workload } = verdict;
  const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const keys = key?.publicKey
    ? (['signature', 'encryption'] as const).map((purpose): EnclaveKey => ({
        purpose,
        algorithm: 'secp256k1',
        value: hex(key.publicKey as Uint8Array),
      }))
    : [];
  const enclave: EnclaveVerdict = {
    role: 'model',
    name: null,
    hardware: 'intel-tdx',
    verdict: conclusion,
    reason,
    checks,
    keys,
    measurements: measurements && { kind: 'intel-tdx', ...measurements },
    workload,
    isUsed: true,
    unusable: null,
  };
  return { ...verdict, family: NEAR_ECDSA, enclaves: [enclave] };
}

function ofReport({ verdict, reason, family, checks, enclaves, checkedAtMs }: ReportVerdict): ServedVerdict {
  const used = enclaves.filter(({ isUsed }) => isUsed);
  const model = used.find(({ role }) => role === 'model');
  // If the report ends at a router, only the router has measurements.
  const last = model ?? used.at(-1);
  const deciding = used.find((enclave) => enclave.verdict === verdict);
  return {
    conclusion: verdict,
    reason: verdict === 'failed' ? reasonOfFailure(used) : reason,
    checks: deciding === undefined ? checks : deciding.checks,
    key: verdict === 'failed' || verdict === 'not-checkable' ? null : signingKeyOf(model),
    measurements: last?.measurements?.kind === 'intel-tdx' ? last.measurements : null,
    workload: last?.workload ?? null,
    checkedAtMs,
    family,
    enclaves,
  };
}

/** Maps a failure to one of the specification's reasons. Nonce and debug failures have their own reasons. */
function reasonOfFailure(used: readonly EnclaveVerdict[]): string {
  const failed = used
    .flatMap(({ checks }) => checks)
    .filter(({ id, outcome }) => outcome === 'failed' && id !== 'workload');
  const isDebug = failed.some(
    ({ id, evidence }) =>
      id === 'debug-off' && typeof evidence['tdAttributes'] === 'string' && !evidence['tdAttributes'].startsWith('00'),
  );
  return failureReason(new Set(failed.map(({ id }) => id)), isDebug);
}

function signingKeyOf(model: EnclaveVerdict | undefined): BoundKey | null {
  const key = model?.keys.find(({ algorithm }) => algorithm === 'secp256k1');
  if (key === undefined) return null;
  const publicKey = parseModelPublicKey(key.value.replace(/^0x/, ''));
  return { address: addressOf(publicKey), publicKey };
}

function unlessUnreadable(read: () => unknown[]): unknown[] {
  try {
    return read();
  } catch {
    // The verification reports the malformed answer.
    return [];
  }
}
