import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import type { ReportVerdict } from '@/lib/protocol/attestation/verify-report';
import type { Check } from '@/lib/protocol/tee/check-list';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import type { ExpectedReport } from '@/lib/protocol/attestation/verify-enclave';
import { describeCheck, describeEnclave, describeFacts } from '../described-checks';
import { describeHops, describeVerdict } from '../described-privacy';

const DETAIL_CHARACTERS_MAX = 2_000;

/**
 * Converts a report's verdict to JSON: `{verdict, family, reason?, checks, enclaves: [{role, hardware, verdict, checks:
 * [{id, outcome, detail}], …}], hops}`.
 */
export function reportAsJson(report: ReportVerdict) {
  const { verdict, reason, family, checks, enclaves, checkedAtMs } = report;
  return {
    verdict,
    family,
    ...(reason !== null && { reason }),
    checkedAt: new Date(checkedAtMs).toISOString(),
    checks: checks.map(checkAsJson),
    enclaves: enclaves.map(enclaveAsJson),
    hops: hopsOfReport(report),
  };
}

/** Returns the hops of a report, for a client that encrypts to the report's key. */
function hopsOfReport({ family, enclaves }: ReportVerdict): readonly Hop[] {
  const model = enclaves.find(({ role, isUsed }) => role === 'model' && isUsed) ?? enclaves[0];
  const encryption = model?.keys.find(({ purpose }) => purpose === 'encryption')?.algorithm ?? null;
  return hopsOf({ client: 'program', gateway: null, provider: null, isAttested: true, encryption, family, enclaves });
}

function enclaveAsJson({
  role,
  name,
  hardware,
  verdict,
  reason,
  isUsed,
  unusable,
  workload,
  keys,
  measurements,
  checks,
}: EnclaveVerdict) {
  return {
    role,
    name,
    hardware,
    verdict,
    ...(reason !== null && { reason }),
    used: isUsed,
    unusable,
    workload,
    keys,
    measurements,
    checks: checks.map(checkAsJson),
  };
}

function checkAsJson({ id, outcome, reason, evidence }: Check<string>) {
  return { id, outcome, detail: reason ?? described(evidence) };
}

function described(evidence: Check['evidence']): string {
  const parts = Object.entries(evidence).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return parts.join('; ').slice(0, DETAIL_CHARACTERS_MAX);
}

/** Formats a report: what did not pass, the enclaves, the prompt's path, and the verdict. */
export function describeReport(report: ReportVerdict, { nonce, model }: ExpectedReport): string {
  const { verdict, reason, family, checks, enclaves, checkedAtMs } = report;
  return [
    ...checks.filter(({ outcome }) => outcome !== 'passed').flatMap(describeCheck),
    ...enclaves.flatMap(describeEnclave),
    ...describeFacts([
      ['Family', family],
      ['Model', model],
      ['Nonce', nonce],
      ['Checked for', new Date(checkedAtMs).toISOString()],
    ]),
    '',
    ...describeHops(hopsOfReport(report)),
    describeVerdict({ model, verdict: { conclusion: verdict, reason } }),
    '',
  ].join('\n');
}
