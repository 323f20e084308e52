import { addressOf, parseModelPublicKey } from '../e2ee/public-key';
import type { BoundKey } from '../tee/binding';
import {
  type AttestationQuestion,
  type AttestationVerdict,
  failureReason,
  verifyAttestation,
} from '../tee/verify-attestation';
import type { EnclaveKey, EnclaveVerdict } from './enclave';
import type { EnclaveCheck } from './enclave-checks';
import { servedAnswers } from './provider-answers';
import type { ReportVerdict } from './verify-report';

/** What an attestation that a gateway served comes to, whatever the family: as a whole, and enclave by enclave. */
export interface ServedVerdict extends Omit<AttestationVerdict, 'checks'> {
  /** Those of the enclave that decides. */
  checks: readonly EnclaveCheck[];
  family: string | null;
  /** In the order of the report. */
  enclaves: readonly EnclaveVerdict[];
}

const NEAR_ECDSA = 'near-ecdsa';

/**
 * Verifies a report as the gateway serves it: by the family of what the provider answered, where that came along, else
 * by its own members. Who serves it decides which of the two is read, and neither is believed: what was left out is not
 * proved, and stands as a claim among the hops. Never rejects.
 */
export async function verifyServedReport(question: AttestationQuestion): Promise<ServedVerdict> {
  const served = servedAnswers(question.report);
  if (served === null) return ofOneEnclave(await verifyAttestation(question));
  // The families' readers are for those who need them: a page with other models never loads them.
  const [{ verifyReport }, { broughtCollateral }] = await Promise.all([
    import('./verify-report'),
    import('./provider-answers'),
  ]);
  const { expected, policy, nowMs } = question;
  const endorsements = {
    ...served.endorsements,
    tdxCollateral: [
      ...served.endorsements.tdxCollateral,
      ...unlessUnreadable(() => broughtCollateral(served.answers())),
    ],
  };
  return ofReport(await verifyReport({ answers: served.answers, endorsements, expected, policy, nowMs }));
}

/** The verdict on a report of one enclave, in the form of all. */
export function ofOneEnclave(verdict: AttestationVerdict): ServedVerdict {
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
  // Of a report that ends at a router, the router's: there is no other to be known by.
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

/** One of the specification's, so that clients tell a nonce and debugging from the rest. */
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

/** The key of secp256k1 that the model's enclave signs with and content is encrypted to; null where it has none. */
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
    // It fails where it is verified.
    return [];
  }
}
